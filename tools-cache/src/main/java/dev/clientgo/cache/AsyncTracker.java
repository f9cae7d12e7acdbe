package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells when all of the first list has been <em>processed</em>, not only heard of: for a controller
 * whose handler puts keys into a queue, and whose workers take them out in any order.
 *
 * <p>The handler calls {@link #start} for each key of the initial list, the worker calls {@link
 * #finished} for whatever key it is through with, and somebody calls {@link #sourceHasSynced} once
 * the handler's registration is synced.
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
    synced = new DoneSignal(name, clock);
  }

  /** Returns a tracker of that name. */
  public static <K> AsyncTracker<K> create(String name) {
    return create(name, Clock.system());
  }

  /** Returns a tracker of that name whose waits take the time of a clock. */
  public static <K> AsyncTracker<K> create(String name, Clock clock) {
    return new AsyncTracker<>(name, clock);
  }

  /** Takes note that a key of the initial list is to be processed. */
  public void start(K key) {
    lock.lock();
    try {
      waiting.add(key);
    } finally {
      lock.unlock();
    }
  }

  /** Takes note that a key has been processed. It need not be one that was started. */
  public void finished(K key) {
    lock.lock();
    try {
      waiting.remove(key);
      checkLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Takes note that {@link #start} has been called for the last key of the initial list. */
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
