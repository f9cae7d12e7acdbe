package dev.clientgo.cache.synctrack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells when a controller has processed every object of the first list. It is for a handler that
 * puts keys into a queue, from which workers take them in any order.
 *
 * <p>The handler calls {@link #start} for each key of the first list, the worker calls {@link
 * #finished} for each key that it has processed, and the program calls {@link #sourceHasSynced}
 * once the handler's registration is synced.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache/synctrack.AsyncTracker}.
 *
 * @param <K> the type of the keys
 */
public final class AsyncTracker<K> implements DoneChecker {

  private final ReentrantLock lock = new ReentrantLock();
  private final DoneSignal synced;

  @GuardedBy("lock")
  private final Set<K> waiting = new HashSet<>();

  @GuardedBy("lock")
  private boolean sourceHasSynced;

  private AsyncTracker(String name, Clock clock) {
    synced = DoneSignal.create(name, clock);
  }

  /** Returns a tracker with that name. */
  public static <K> AsyncTracker<K> create(String name) {
    return create(name, Clock.system());
  }

  /** Returns a tracker with that name, which measures waits by the given clock. */
  public static <K> AsyncTracker<K> create(String name, Clock clock) {
    return new AsyncTracker<>(name, clock);
  }

  /** Records that a key of the first list is to be processed. */
  public void start(K key) {
    lock.lock();
    try {
      waiting.add(key);
    } finally {
      lock.unlock();
    }
  }

  /** Records that a key has been processed. A key that was never started has no effect. */
  public void finished(K key) {
    lock.lock();
    try {
      waiting.remove(key);
      checkLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Records that {@link #start} has been called for the last key of the first list. */
  public void sourceHasSynced() {
    lock.lock();
    try {
      sourceHasSynced = true;
      checkLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void checkLocked() {
    if (sourceHasSynced && waiting.isEmpty()) {
      synced.done();
    }
  }

  @Override
  public String name() {
    return synced.name();
  }

  @Override
  public boolean isDone() {
    return synced.isDone();
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    return synced.await(timeout);
  }
}
