package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The clock of the machine: the one class that may read it. */
enum SystemClock implements Clock {
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // As with a Condition, the loop is the caller's.
  public boolean await(Lock lock, Condition condition, Duration timeout)
      throws InterruptedException {
    return condition.awaitNanos(Nanos.of(timeout)) > 0;
  }
}
