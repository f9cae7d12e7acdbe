package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The only source of time of a queue, so that delays can be tested without waiting.
 *
 * <p>Implementations are safe for use by many threads. {@link FakeClock} is the one for tests.
 *
 * <p>Corresponds to {@code k8s.io/utils/clock.Clock}.
 */
public interface Clock {

  /** Returns the clock of the machine. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /**
   * Returns a reading in nanoseconds that never goes back, and that only differences between
   * readings give a meaning to.
   */
  long nanoTime();

  /**
   * Waits on a condition until it is signalled or the time is up. As with {@link
   * Condition#await()}, a caller checks what it waits for in a loop.
   *
   * @param lock the lock of the condition, held by the caller
   * @param condition what to wait on
   * @param timeout the longest wait; nothing is waited for if it is zero or less
   * @return false if the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Lock lock, Condition condition, Duration timeout) throws InterruptedException;
}
