package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls an observer and logs the exceptions that it throws, so that an error in an observer loses
 * no event and ends no thread.
 */
final class GuardedObserver<T> implements InformerObserver<T> {

  private static final Logger LOG = System.getLogger(InformerObserver.class.getName());

  private final InformerObserver<T> observer;

  GuardedObserver(InformerObserver<T> observer) {
    this.observer = observer;
  }

  private interface Call {
    void run() throws InterruptedException;
  }

  private static void blocking(Call call) throws InterruptedException {
    try {
      call.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "An observer failed", e);
    }
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "An observer failed", e);
    }
  }

  @Override
  public void started(InformerObserver.Informer<? extends T> informer) {
    guarded(() -> observer.started(informer));
  }

  @Override
  public void listing(ListOptions request) {
    guarded(() -> observer.listing(request));
  }

  @Override
  public void watching(ListOptions request) {
    guarded(() -> observer.watching(request));
  }

  @Override
  public void received(WatchEvent<T> event) throws InterruptedException {
    blocking(() -> observer.received(event));
  }

  @Override
  public void failed(RuntimeException error) {
    guarded(() -> observer.failed(error));
  }

  @Override
  public void queued(Delta<T> delta) {
    guarded(() -> observer.queued(delta));
  }

  @Override
  public void popping() throws InterruptedException {
    blocking(observer::popping);
  }

  @Override
  public void popped(List<Delta<T>> deltas) {
    guarded(() -> observer.popped(deltas));
  }

  @Override
  public void stored(String key, @Nullable T before, @Nullable T after) {
    guarded(() -> observer.stored(key, before, after));
  }

  @Override
  public void notified(String handler, @Nullable T before, @Nullable T after) {
    guarded(() -> observer.notified(handler, before, after));
  }

  @Override
  public void delivering(String handler, @Nullable T before, @Nullable T after)
      throws InterruptedException {
    blocking(() -> observer.delivering(handler, before, after));
  }

  @Override
  public void delivered(String handler, @Nullable Throwable error) {
    guarded(() -> observer.delivered(handler, error));
  }
}
