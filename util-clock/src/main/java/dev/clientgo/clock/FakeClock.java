package dev.clientgo.clock;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>A thread that waits on this clock is released when {@link #advance} passes its deadline. A
 * test that must not move the time before another thread has begun to wait calls {@link
 * #awaitWaiters}. A thread that has read the time to find out how long to wait waits from then on:
 * if the time moves before the wait begins, the wait is shorter. Safe for use by many threads.
 *
 * <p>Corresponds to {@code k8s.io/utils/clock/testing.FakeClock}.
 */
public final class FakeClock implements Clock {

  /** A thread that waits. Compared by identity: two may wait for the same time on one condition. */
  private static final class Waiter {
    final long deadline;
    final Lock lock;
    final Condition condition;

    Waiter(long deadline, Lock lock, Condition condition) {
      this.deadline = deadline;
      this.lock = lock;
      this.condition = condition;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition waitersChanged = lock.newCondition();

  /** The last reading of each thread, until it waits. */
  private final ThreadLocal<Long> readings = new ThreadLocal<>();

  private final Instant start;

  @GuardedBy("lock")
  private final List<Waiter> waiters = new ArrayList<>();

  @GuardedBy("lock")
  private long nanos;

  private FakeClock(Instant start) {
    this.start = requireNonNull(start, "start");
  }

  /** Returns a clock that stands at 2026-01-01T00:00:00Z. */
  public static FakeClock create() {
    return at(Instant.parse("2026-01-01T00:00:00Z"));
  }

  /** Returns a clock that stands at the given time. */
  public static FakeClock at(Instant start) {
    return new FakeClock(start);
  }

  @Override
  public Instant now() {
    return start.plusNanos(nanoTime());
  }

  @Override
  public long nanoTime() {
    long now = nanos();
    readings.set(now);
    return now;
  }

  private long nanos() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves the time forward and wakes every thread whose deadline has come.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + duration);
    }
    List<Waiter> due;
    lock.lock();
    try {
      nanos = add(nanos, TimeUnit.NANOSECONDS.convert(duration));
      long now = nanos;
      due = waiters.stream().filter(waiter -> waiter.deadline <= now).toList();
    } finally {
      lock.unlock();
    }
    // Outside our lock: a waiter holds its own lock while it asks us for the time.
    for (Waiter waiter : due) {
      waiter.lock.lock();
      try {
        waiter.condition.signalAll();
      } finally {
        waiter.lock.unlock();
      }
    }
  }

  /** Returns how many threads wait for a time that has not come yet. */
  public int waiters() {
    lock.lock();
    try {
      return waitersLocked(Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until at least that many threads wait for a time that has not come yet.
   *
   * @throws IllegalStateException if that does not happen within thirty seconds
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitWaiters(int count) throws InterruptedException {
    awaitWaiters(count, Long.MAX_VALUE, count + " waiters");
  }

  /**
   * Waits, in real time, until at least one thread waits for a time that is no further away than
   * {@code duration}. For a test in which other threads wait for later times.
   *
   * @throws IllegalStateException if that does not happen within thirty seconds
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitWaiterWithin(Duration duration) throws InterruptedException {
    awaitWaiters(1, duration.toNanos(), "a waiter within " + duration);
  }

  private void awaitWaiters(int count, long within, String what) throws InterruptedException {
    lock.lock();
    try {
      Deadline deadline = Clock.system().deadline(Duration.ofSeconds(30));
      while (waitersLocked(within) < count) {
        if (!deadline.await(lock, waitersChanged)) {
          throw new IllegalStateException(
              "waited 30 s for " + what + ", there are " + waitersLocked(Long.MAX_VALUE));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private int waitersLocked(long within) {
    long now = nanos;
    return (int)
        waiters.stream()
            .mapToLong(waiter -> waiter.deadline - now)
            .filter(left -> left > 0 && left <= within)
            .count();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // As with a Condition, the loop is the caller's.
  public boolean await(Lock lock, Condition condition, Duration timeout)
      throws InterruptedException {
    Waiter waiter = add(lock, condition, lastReading(), timeout);
    try {
      if (isDue(waiter)) {
        return false;
      }
      condition.await();
      return !isDue(waiter);
    } finally {
      remove(waiter);
    }
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    ReentrantLock own = new ReentrantLock();
    Condition over = own.newCondition();
    own.lock();
    try {
      Waiter waiter = add(own, over, nanos(), duration);
      try {
        while (!isDue(waiter)) {
          over.await();
        }
      } finally {
        remove(waiter);
      }
    } finally {
      own.unlock();
    }
  }

  /** Returns and forgets the thread's last reading; if it has none, returns the time. */
  private long lastReading() {
    Long reading = readings.get();
    readings.remove();
    return reading == null ? nanos() : reading;
  }

  private Waiter add(Lock waiterLock, Condition condition, long start, Duration timeout) {
    lock.lock();
    try {
      long wait = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
      Waiter waiter = new Waiter(add(start, wait), waiterLock, condition);
      waiters.add(waiter);
      waitersChanged.signalAll();
      return waiter;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the sum of two times that are not negative, at most the largest {@code long}. */
  private static long add(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private void remove(Waiter waiter) {
    lock.lock();
    try {
      waiters.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue(Waiter waiter) {
    return waiter.deadline <= nanos();
  }
}
