package dev.clientgo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The only source of time in this library, so that a test of code that waits need not wait.
 *
 * <p>Measure intervals with {@link #nanoTime}, which never jumps. Use {@link #now} only for
 * timestamps and expiry dates. Implementations are safe for use by many threads.
 *
 * <p>Corresponds to {@code k8s.io/utils/clock.Clock}. {@link FakeClock} is the one for tests.
 */
public interface Clock {

  /** Returns the clock of the machine. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** Returns the wall-clock time. */
  Instant now();

  /**
   * Returns a reading in nanoseconds that never goes back. Only the difference between two readings
   * has a meaning.
   */
  long nanoTime();

  /**
   * Waits on a condition until it is signalled or the time is up. As with {@link
   * Condition#await()}, a caller checks what it waits for in a loop.
   *
   * @param lock the lock of the condition, held by the caller
   * @param condition what to wait on
   * @param timeout the longest wait; with zero or less this returns at once
   * @return false if the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Lock lock, Condition condition, Duration timeout) throws InterruptedException;

  /**
   * Waits for that long.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  void sleep(Duration duration) throws InterruptedException;
}
