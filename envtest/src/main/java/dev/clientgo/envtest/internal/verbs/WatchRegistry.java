package dev.clientgo.envtest.internal.verbs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The watches that are open. Safe for use by many threads. */
public final class WatchRegistry {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Set<OpenWatch> open = new LinkedHashSet<>();

  public void add(OpenWatch watch) {
    lock.lock();
    try {
      open.add(watch);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void remove(OpenWatch watch) {
    lock.lock();
    try {
      open.remove(watch);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the watches, in the order in which they were opened. */
  public List<OpenWatch> all() {
    lock.lock();
    try {
      return List.copyOf(open);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until that many watches are open, and returns them.
   *
   * @throws IllegalStateException if that does not happen in time
   */
  public List<OpenWatch> await(int count, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.NANOSECONDS.convert(atMost);
      while (open.size() != count) {
        if (left <= 0) {
          throw new IllegalStateException(
              "waited " + atMost + " for " + count + " open watches, there are " + open);
        }
        left = changed.awaitNanos(left);
      }
      return List.copyOf(open);
    } finally {
      lock.unlock();
    }
  }
}
