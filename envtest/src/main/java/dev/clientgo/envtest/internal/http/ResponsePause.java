package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A pause in the response to one client. Safe for use by many threads. */
public final class ResponsePause {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended;
  private final Clock clock;

  @GuardedBy("lock")
  private boolean over;

  private final Consumer<ResponsePause> onEnd;

  /** Creates a pause that calls back when it ends. */
  public ResponsePause(Clock clock, Consumer<ResponsePause> onEnd) {
    this.clock = clock;
    this.ended = clock.newCondition(lock);
    this.onEnd = onEnd;
  }

  /** Ends the pause. */
  public void end() {
    lock.lock();
    try {
      over = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    onEnd.accept(this);
  }

  /** Waits for the end. */
  public void await() throws InterruptedException {
    lock.lock();
    try {
      while (!over) {
        ended.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end, at most for a time. */
  public void await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      Deadline deadline = clock.deadline(atMost);
      while (!over && deadline.await(lock, ended)) {}
    } finally {
      lock.unlock();
    }
  }
}
