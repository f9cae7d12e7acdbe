package dev.clientgo.cache.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits of threads until a store has reached a version. */
public final class VersionSignal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved;
  private final Clock clock;
  private final Supplier<String> version;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final CrashLog crashes = new CrashLog(System.getLogger(VersionSignal.class.getName()));

  @GuardedBy("lock")
  private boolean closed;

  /** Creates a signal of the version that the function returns. */
  public VersionSignal(Clock clock, Supplier<String> version) {
    this.clock = clock;
    moved = clock.newCondition(lock);
    this.version = version;
  }

  /** Adds a function that each {@link #moved} calls, without a lock. What it throws is logged. */
  public void onMoved(Runnable listener) {
    listeners.add(listener);
  }

  /** Wakes all waiting threads, which check the version again, and calls the listeners. */
  public void moved() {
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
    for (Runnable listener : listeners) {
      crashes.call(
          () -> "A listener of the progress of a cache has failed",
          true,
          () -> {
            listener.run();
            return true;
          });
    }
  }

  /** Ends all waits, now and later: the version of the store will not change any more. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the store shows that version or a newer one. Returns false if the time is up
   * before, or this is closed.
   */
  public boolean await(String resourceVersion, Duration timeout) throws InterruptedException {
    if (!ResourceVersion.isComparable(resourceVersion)) {
      throw new IllegalArgumentException(
          "not a resource version to wait for: \"" + resourceVersion + "\"");
    }
    return await(() -> isReached(resourceVersion), timeout);
  }

  /**
   * Waits until the function returns true after a {@link #moved}. Returns false if the time is up
   * before, or this is closed.
   */
  public boolean await(BooleanSupplier reached, Duration timeout) throws InterruptedException {
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      while (!reached.getAsBoolean()) {
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
    String reached = version.get();
    return ResourceVersion.isComparable(reached)
        && ResourceVersion.compare(reached, resourceVersion) >= 0;
  }
}
