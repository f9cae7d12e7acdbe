package dev.clientgo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
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

  /**
   * Starts a timeout now.
   *
   * @param timeout the longest wait; zero or less for a deadline that has passed
   */
  default Deadline deadline(Duration timeout) {
    return new Deadline(this, timeout);
  }

  /**
   * Creates a condition of a lock. The threads of this library wait only on conditions that come
   * from here, so that a simulation knows which threads wait and which have been signalled.
   *
   * @param lock the lock that a thread holds when it waits on the condition or signals it
   * @return {@code lock.newCondition()} unless an implementation returns a different one
   */
  default Condition newCondition(Lock lock) {
    return lock.newCondition();
  }

  /**
   * Returns a factory of threads that wait by this clock, to do something in time.
   *
   * @param prefix how the names of the threads begin; a number follows
   * @return {@link DaemonThreads#platform} unless an implementation runs the threads itself
   */
  default ThreadFactory threads(String prefix) {
    return DaemonThreads.platform(prefix);
  }

  /**
   * Returns whether the time has stopped for good, because the process that the clock belongs to
   * has died in a simulation. Each wait then throws {@link InterruptedException}, and a thread that
   * otherwise survives an interruption must end.
   */
  default boolean isStopped() {
    return false;
  }

  /**
   * Waits until threads have ended, or the time is up. The time is that of the machine unless an
   * implementation runs the threads itself, because a thread takes real time to end.
   *
   * @param threads the threads; a thread that was never started counts as ended
   * @param timeout the longest wait in all; with zero or less this does not wait
   * @return whether all have ended
   * @throws InterruptedException if the calling thread is interrupted
   */
  default boolean join(List<Thread> threads, Duration timeout) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Deadline deadline = system().deadline(timeout);
    boolean ended = true;
    for (Thread thread : threads) {
      long left = deadline.left().toNanos();
      if (left > 0 && thread.isAlive()) {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      }
      ended &= !thread.isAlive();
    }
    return ended;
  }
}
