package dev.clientgo.simulation.internal.threads;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition whose signals make threads ready, in the order in which they began to wait. The
 * scheduler then chooses which one runs. The lock guards the waiters.
 */
final class SimulatedCondition implements Condition {

  private final Scheduler scheduler;
  private final SimulatedClock clock;
  private final ReentrantLock lock;
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /**
   * Creates a condition without waiters.
   *
   * @param clock decides when a date is reached
   * @param lock the lock of the condition
   */
  SimulatedCondition(Scheduler scheduler, SimulatedClock clock, ReentrantLock lock) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.lock = lock;
  }

  /** Waits; returns false if the time is up. */
  boolean waitFor(long nanos) throws InterruptedException {
    checkHeld();
    Waiter waiter = new Waiter();
    waiters.add(waiter);
    int holds = lock.getHoldCount();
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
    try {
      return scheduler.await(waiter, clock.owner().simulated(nanos));
    } finally {
      for (int i = 0; i < holds; i++) {
        lock.lock();
      }
      waiters.remove(waiter);
    }
  }

  private void checkHeld() {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("the lock of the condition is not held");
    }
  }

  @Override
  public void await() throws InterruptedException {
    waitFor(Scheduler.FOREVER);
  }

  @Override
  public void awaitUninterruptibly() {
    boolean interrupted = Thread.interrupted();
    boolean done = false;
    while (!done) {
      try {
        waitFor(Scheduler.FOREVER);
        done = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    long start = scheduler.now();
    if (nanos > 0) {
      waitFor(nanos);
    }
    return nanos - clock.owner().shown(scheduler.now() - start);
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return time > 0 && waitFor(unit.toNanos(time));
  }

  @Override
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(Duration.between(clock.now(), deadline.toInstant()));
    return left > 0 && waitFor(left);
  }

  @Override
  public void signal() {
    checkHeld();
    boolean woken = false;
    while (!woken && !waiters.isEmpty()) {
      woken = scheduler.wake(waiters.remove(), Waiter.Cause.SIGNAL);
    }
  }

  @Override
  public void signalAll() {
    checkHeld();
    waiters.forEach(waiter -> scheduler.wake(waiter, Waiter.Cause.SIGNAL));
    waiters.clear();
  }
}
