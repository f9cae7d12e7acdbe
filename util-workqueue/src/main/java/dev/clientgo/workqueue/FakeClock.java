package dev.clientgo.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>A queue looks at the time whenever it is used, so a test with one thread needs no waiting:
 *
 * <pre>{@code
 * queue.addAfter("a", Duration.ofSeconds(30)); // queue.size() is 0
 * clock.advance(Duration.ofSeconds(30));       // queue.size() is 1
 * }</pre>
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

  /** What each thread has read last, until it waits. */
  private final ThreadLocal<Long> readings = new ThreadLocal<>();

  @GuardedBy("lock")
  private final List<Waiter> waiters = new ArrayList<>();

  @GuardedBy("lock")
  private long nanos;

  private FakeClock() {}

  /** Returns a clock that stands at zero. */
  public static FakeClock create() {
    return new FakeClock();
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
      nanos = Nanos.add(nanos, Nanos.of(duration));
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
      return waitersLocked();
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
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(30);
      while (waitersLocked() < count) {
        if (left <= 0) {
          throw new IllegalStateException(
              "waited 30 s for " + count + " waiters, there are " + waitersLocked());
        }
        left = waitersChanged.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private int waitersLocked() {
    long now = nanos;
    return (int) waiters.stream().filter(waiter -> waiter.deadline > now).count();
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

  /** Returns and forgets what the thread has read last, or what it would read. */
  private long lastReading() {
    Long reading = readings.get();
    readings.remove();
    return reading == null ? nanos() : reading;
  }

  private Waiter add(Lock waiterLock, Condition condition, long start, Duration timeout) {
    lock.lock();
    try {
      long deadline = Nanos.add(start, Math.max(0, Nanos.of(timeout)));
      Waiter waiter = new Waiter(deadline, waiterLock, condition);
      waiters.add(waiter);
      waitersChanged.signalAll();
      return waiter;
    } finally {
      lock.unlock();
    }
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
