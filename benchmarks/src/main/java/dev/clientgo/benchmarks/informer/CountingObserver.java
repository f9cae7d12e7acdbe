package dev.clientgo.benchmarks.informer;

import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.Delta;
import dev.clientgo.cache.InformerObserver;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest observer that looks at each object at each stage: what observing alone costs.
 *
 * @param <T> the type of the objects
 */
public final class CountingObserver<T> implements InformerObserver<T> {

  private final LongAdder steps = new LongAdder();

  @Override
  public void received(WatchEvent<T> event) {
    steps.increment();
  }

  @Override
  public void queued(Delta<T> delta) {
    steps.increment();
  }

  @Override
  public void popping() {
    steps.increment();
  }

  @Override
  public void popped(List<Delta<T>> deltas) {
    steps.add(deltas.size());
  }

  @Override
  public void stored(String key, @Nullable T before, @Nullable T after) {
    steps.increment();
  }

  @Override
  public void notified(String handler, @Nullable T before, @Nullable T after) {
    steps.increment();
  }

  @Override
  public void delivering(String handler, @Nullable T before, @Nullable T after) {
    steps.increment();
  }

  @Override
  public void delivered(String handler, @Nullable Throwable error) {
    steps.increment();
  }
}
