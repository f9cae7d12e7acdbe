package dev.clientgo.controller.internal.webhook;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Interrupts the threads of calls whose time is over. Safe for use by many threads. */
final class CallDeadlines implements AutoCloseable {

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread watchdog = DaemonThreads.named("webhook-deadlines-").newThread(this::watch);

  @GuardedBy("lock")
  private final PriorityQueue<Call> calls =
      new PriorityQueue<>(Comparator.comparingLong(call -> call.deadline));

  /** The reading of the clock from which {@link Call#deadline} counts. */
  private final long start;

  CallDeadlines(Clock clock) {
    this.clock = clock;
    this.start = clock.nanoTime();
  }

  void start() {
    watchdog.start();
  }

  /** A call that has begun. Its thread is interrupted only until it has ended. */
  final class Call {
    private final Thread thread = Thread.currentThread();

    /** The deadline, in nanoseconds from {@link #start}. */
    private final long deadline;

    private boolean interrupted;

    private Call(long deadline) {
      this.deadline = deadline;
    }

    /** Ends the call; called by its thread. */
    void end() {
      lock.lock();
      try {
        calls.remove(this);
        if (interrupted) {
          Thread.interrupted(); // Ours, and of no concern to the writing of the answer.
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Begins a call of this thread. */
  Call begin(Duration timeout) {
    lock.lock();
    try {
      Call call = new Call(clock.nanoTime() - start + timeout.toNanos());
      calls.add(call);
      changed.signalAll();
      return call;
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    lock.lock();
    try {
      while (true) {
        Call next = calls.peek();
        if (next == null) {
          changed.await();
          continue;
        }
        long wait = next.deadline - (clock.nanoTime() - start);
        if (wait > 0) {
          clock.await(lock, changed, Duration.ofNanos(wait));
        } else {
          calls.remove(next);
          next.interrupted = true;
          next.thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      // The server is being closed.
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    watchdog.interrupt();
  }
}
