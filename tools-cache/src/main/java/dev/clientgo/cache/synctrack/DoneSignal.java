package dev.clientgo.cache.synctrack;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stock {@link DoneChecker}: a flag that is set once, and that threads can wait for.
 *
 * <p>Safe for use by many threads. Corresponds to the channel of client-go's {@code
 * tools/cache.DoneChecker}, which is closed once.
 */
public final class DoneSignal implements DoneChecker {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition turnedOn;
  private final String name;
  private final Clock clock;

  /** Written with the lock held, read without it: {@link #isDone} never waits. */
  private volatile boolean done;

  @GuardedBy("lock")
  private boolean abandoned;

  private DoneSignal(String name, Clock clock) {
    this.name = requireNonNull(name, "name");
    this.clock = requireNonNull(clock, "clock");
    turnedOn = clock.newCondition(lock);
  }

  /** Returns a flag that is not set; waits are measured by the given clock. */
  public static DoneSignal create(String name, Clock clock) {
    return new DoneSignal(name, clock);
  }

  /** Sets the flag. A second call has no effect. */
  public void done() {
    lock.lock();
    try {
      done = true;
      turnedOn.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits, now and later, because the flag will not be set any more. */
  public void abandon() {
    lock.lock();
    try {
      abandoned = true;
      turnedOn.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      while (!done) {
        Duration left = timeout.minusNanos(clock.nanoTime() - start);
        if (abandoned || left.isNegative() || left.isZero()) {
          return false;
        }
        clock.await(lock, turnedOn, left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
