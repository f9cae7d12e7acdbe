package dev.clientgo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The clock of the machine: the only class that may read it. */
enum SystemClock implements Clock {
  INSTANCE;

  @Override
  public Instant now() {
    return Thread.currentThread() instanceof TimedThread own ? own.now() : Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // As with a Condition, the loop is the caller's.
  public boolean await(Lock lock, Condition condition, Duration timeout)
      throws InterruptedException {
    return condition.awaitNanos(TimeUnit.NANOSECONDS.convert(timeout)) > 0;
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(duration));
  }
}
