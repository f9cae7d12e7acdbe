package dev.clientgo.clock;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The time by which a wait must end, whatever wakes the thread meanwhile.
 *
 * <pre>{@code
 * Deadline deadline = clock.deadline(timeout);
 * lock.lockInterruptibly();
 * try {
 *   while (!isDone && deadline.await(lock, changed)) {}
 *   return isDone;
 * } finally {
 *   lock.unlock();
 * }
 * }</pre>
 *
 * <p>Several waits may share a deadline: each has the time that those before have left. A timeout
 * of more than 292 years ends then. Safe for use by many threads.
 */
public final class Deadline {

  private final Clock clock;
  private final long start;
  private final long longest;

  /** Starts a timeout now. */
  Deadline(Clock clock, Duration timeout) {
    this.clock = requireNonNull(clock, "clock");
    this.longest = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    this.start = clock.nanoTime();
  }

  /** Returns the time until the deadline; zero if it has passed. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, longest - (clock.nanoTime() - start)));
  }

  /** Returns whether there is no time left. */
  public boolean hasPassed() {
    return left().isZero();
  }

  /**
   * Waits on a condition until it is signalled or the deadline passes. If it has passed already,
   * returns false at once. So a caller that waits in a loop looks once more after its last wait.
   *
   * @param lock the lock of the condition, held by the caller
   * @param condition what to wait on
   * @return whether this has waited
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public boolean await(Lock lock, Condition condition) throws InterruptedException {
    Duration left = left();
    if (left.isZero()) {
      return false;
    }
    clock.await(lock, condition, left);
    return true;
  }

  /**
   * Sleeps for a time, but not beyond the deadline. If it has passed already, returns false at
   * once. So a caller that polls in a loop looks once more at the deadline.
   *
   * @param pause the time between two looks
   * @return whether this has slept
   * @throws InterruptedException if the thread is interrupted while it sleeps
   */
  public boolean sleep(Duration pause) throws InterruptedException {
    Duration left = left();
    if (left.isZero()) {
      return false;
    }
    clock.sleep(left.compareTo(pause) < 0 ? left : pause);
    return true;
  }

  /** Returns the time that is left, for a log. */
  @Override
  public String toString() {
    return "Deadline[left=" + left() + "]";
  }
}
