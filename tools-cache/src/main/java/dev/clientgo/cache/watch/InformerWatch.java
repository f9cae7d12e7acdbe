package dev.clientgo.cache.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.Reflector;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.WatchErrorHandler;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A watch on top of an informer: first an added event for each object that exists, then an event
 * for each change. Unlike a watch of a client, it survives the loss of its connection. Several
 * changes of an object during the loss become one event, and events of different objects may then
 * come in another order.
 *
 * <p>Events wait in memory, without a bound, until {@link #next} takes them. The watch ends when it
 * or the client is closed. Corresponds to client-go's {@code
 * tools/watch.NewIndexerInformerWatcher}.
 *
 * @param <T> the type of the objects
 */
public final class InformerWatch<T extends KubernetesObject>
    implements Watch<T>, ResourceEventHandler<T> {

  private static final Duration FOR_EVER = Duration.ofDays(100 * 365);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Clock clock;
  private final WatchErrorHandler log = WatchErrorHandler.logging();
  private final SharedIndexInformer<T> informer;

  @GuardedBy("lock")
  private final ArrayDeque<WatchEvent<T>> events = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean closed;

  private InformerWatch(ListerWatcher<T> source, ReflectorOptions options) {
    clock = options.clock();
    changed = clock.newCondition(lock);
    informer =
        SharedIndexInformer.builder(source)
            .options(options)
            .watchErrorHandler(this::failed)
            .build();
  }

  /** Starts to list and watch, and returns at once. */
  public static <T extends KubernetesObject> InformerWatch<T> open(ListerWatcher<T> source) {
    return open(source, ReflectorOptions.defaults());
  }

  /** Starts to list and watch with the given options, and returns at once. */
  public static <T extends KubernetesObject> InformerWatch<T> open(
      ListerWatcher<T> source, ReflectorOptions options) {
    InformerWatch<T> watch = new InformerWatch<>(source, options);
    watch.informer.addEventHandler(watch);
    watch.informer.start();
    return watch;
  }

  private void failed(Reflector<?> reflector, RuntimeException error) {
    log.onError(reflector, error);
    if (error instanceof TransportException lost
        && lost.kind() == TransportException.Kind.CLIENT_CLOSED) {
      close();
    }
  }

  /** Returns the informer that this watch uses, for its cache and its health. */
  public SharedIndexInformer<T> informer() {
    return informer;
  }

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    add(new WatchEvent.Added<>(object));
  }

  @Override
  public void onUpdate(T oldObject, T newObject) {
    add(new WatchEvent.Modified<>(newObject));
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    T last = deleted.lastKnown();
    if (last != null) {
      add(new WatchEvent.Deleted<>(last));
    }
  }

  private void add(WatchEvent<T> event) {
    lock.lock();
    try {
      events.add(event);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<WatchEvent<T>> next() throws InterruptedException {
    return next(FOR_EVER);
  }

  /** Returns the next event; empty if the time is up before, or this is closed. */
  Optional<WatchEvent<T>> next(Duration timeout) throws InterruptedException {
    try {
      return poll(timeout);
    } catch (InterruptedException e) {
      close();
      throw e;
    }
  }

  private Optional<WatchEvent<T>> poll(Duration timeout) throws InterruptedException {
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      Duration left = timeout;
      while (events.isEmpty() && !closed && left.compareTo(Duration.ZERO) > 0) {
        clock.await(lock, changed, left);
        left = timeout.minusNanos(clock.nanoTime() - start);
      }
      return closed ? Optional.empty() : Optional.ofNullable(events.poll());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    informer.close();
  }
}
