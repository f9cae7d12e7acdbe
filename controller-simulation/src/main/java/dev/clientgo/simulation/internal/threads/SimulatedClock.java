package dev.clientgo.simulation.internal.threads;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The clock of a process, which moves when no thread can run. */
final class SimulatedClock implements Clock {

  private final Scheduler scheduler;
  private final ThreadOwner owner;

  SimulatedClock(Scheduler scheduler, ThreadOwner owner) {
    this.scheduler = scheduler;
    this.owner = owner;
  }

  @Override
  public Instant now() {
    return scheduler.origin().plusNanos(owner.aheadNanos()).plusNanos(nanoTime());
  }

  @Override
  public long nanoTime() {
    return owner.shown(owner.dead ? owner.diedAt : scheduler.now());
  }

  ThreadOwner owner() {
    return owner;
  }

  @Override
  public Condition newCondition(Lock lock) {
    if (!(lock instanceof ReentrantLock reentrant)) {
      throw new IllegalArgumentException(
          "a simulation needs a ReentrantLock, not " + lock.getClass().getName());
    }
    return new SimulatedCondition(scheduler, this, reentrant);
  }

  @Override
  public boolean await(Lock lock, Condition condition, Duration timeout)
      throws InterruptedException {
    if (!(condition instanceof SimulatedCondition simulated)) {
      throw new IllegalArgumentException(
          "the condition is not of this clock: create it by clock.newCondition(lock), so that the"
              + " simulation knows when it is signalled");
    }
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    return nanos > 0 && simulated.waitFor(nanos);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(duration);
    if (nanos > 0) {
      scheduler.await(new Waiter(), owner.simulated(nanos));
    }
  }

  @Override
  public ThreadFactory threads(String prefix) {
    return owner;
  }

  @Override
  public boolean isStopped() {
    return owner.dead;
  }

  @Override
  public boolean join(List<Thread> threads, Duration timeout) throws InterruptedException {
    return scheduler.join(threads, owner.simulated(TimeUnit.NANOSECONDS.convert(timeout)));
  }
}
