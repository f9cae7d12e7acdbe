package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stock {@link DoneChecker}: a flag that is set once, and that threads can wait for.
 * Corresponds to the channel of client-go's {@code tools/cache.DoneChecker}, which is closed once.
 */
final class DoneSignal implements DoneChecker {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition turnedOn = lock.newCondition();
  private final String name;
  private final Clock clock;

  /** Written with the lock held, read without it: {@link #isDone} never waits. */
  private volatile boolean done;

  @GuardedBy("lock")
  private boolean abandoned;

  DoneSignal(String name, Clock clock) {
    this.name = requireNonNull(name, "name");
    this.clock = requireNonNull(clock, "clock");
  }

  /** Sets the flag. Has no effect the second time. */
  void done() {
    lock.lock();
    try {
      done = true;
      turnedOn.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits, now and later: if the flag is not set by now, it never will be. */
  void abandon() {
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
