package dev.clientgo.cache;

import dev.clientgo.apimachinery.clock.Clock;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Lets threads wait until a store has reached a version. */
final class VersionSignal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Clock clock;
  private final Supplier<String> version;

  /**
   * Creates an instance.
   *
   * @param version gives the version that the store shows, empty if it shows nothing yet
   */
  VersionSignal(Clock clock, Supplier<String> version) {
    this.clock = clock;
    this.version = version;
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

  /** Waits until the store shows at least that version; returns false if the time is up before. */
  boolean await(String resourceVersion, Duration timeout) throws InterruptedException {
    requireValid(resourceVersion);
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      while (!isReached(resourceVersion)) {
        Duration left = timeout.minusNanos(clock.nanoTime() - start);
        if (left.isNegative() || left.isZero()) {
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
    // Versions are decimal numbers of any length.
    return reached.length() == resourceVersion.length()
        ? reached.compareTo(resourceVersion) >= 0
        : reached.length() > resourceVersion.length();
  }

  private static void requireValid(String resourceVersion) {
    boolean valid =
        !resourceVersion.isEmpty()
            && resourceVersion.charAt(0) != '0'
            && resourceVersion.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!valid) {
      throw new IllegalArgumentException(
          "not a resource version to wait for: \"" + resourceVersion + "\"");
    }
  }
}
