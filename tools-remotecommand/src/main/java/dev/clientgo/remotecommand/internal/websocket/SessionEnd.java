package dev.clientgo.remotecommand.internal.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How a session ended, for the threads that wait for its end. Safe for use by many threads.
 *
 * @param <T> the type of the result
 */
public final class SessionEnd<T> {

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reached;

  @GuardedBy("lock")
  private @Nullable T result;

  /** Creates an end that has not been reached. */
  public SessionEnd(Clock clock) {
    this.clock = clock;
    this.reached = clock.newCondition(lock);
  }

  /** Sets how the session ended, and wakes all that wait for it. */
  public void reach(T how) {
    lock.lock();
    try {
      result = how;
      reached.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how the session ended; empty if it has not ended. */
  public Optional<T> result() {
    lock.lock();
    try {
      return Optional.ofNullable(result);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end. */
  public T await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (result == null) {
        reached.await();
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the end.
   *
   * @return empty if the time is up
   */
  public Optional<T> await(Duration timeout) throws InterruptedException {
    Deadline deadline = clock.deadline(timeout);
    lock.lockInterruptibly();
    try {
      while (result == null && deadline.await(lock, reached)) {}
      return Optional.ofNullable(result);
    } finally {
      lock.unlock();
    }
  }
}
