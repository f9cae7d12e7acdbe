package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets threads wait until a store has reached a version. */
final class VersionSignal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Clock clock;
  private final Store<?> store;

  @GuardedBy("lock")
  private boolean closed;

  VersionSignal(Clock clock, Store<?> store) {
    this.clock = clock;
    this.store = store;
  }

  /** Wakes those who wait, to look at the version again. */
  void moved() {
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes everybody who waits, or will, give up: the store moves no more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the store shows at least that version; returns false if the time is up before, or
   * the store moves no more.
   */
  boolean await(String resourceVersion, Duration timeout) throws InterruptedException {
    if (!ResourceVersion.isComparable(resourceVersion)) {
      throw new IllegalArgumentException(
          "not a resource version to wait for: \"" + resourceVersion + "\"");
    }
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      while (!isReached(resourceVersion)) {
        Duration left = timeout.minusNanos(clock.nanoTime() - start);
        if (closed || left.isNegative() || left.isZero()) {
          return false;
        }
        clock.await(lock, moved, left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isReached(String resourceVersion) {
    String reached = store.lastStoreSyncResourceVersion();
    return ResourceVersion.isComparable(reached)
        && ResourceVersion.compare(reached, resourceVersion) >= 0;
  }
}
