package dev.clientgo.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A reconcile that a worker is in. Its thread is interrupted only while it lasts. */
final class ActiveReconcile {

  final Request request;
  final long startedAt;
  private final Thread thread = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private boolean timedOut;

  /** Whether the object belongs to another replica now. */
  @GuardedBy("lock")
  private boolean lost;

  @GuardedBy("lock")
  private boolean ended;

  /** How long it may be watched until the next warning; used by the watchdog alone. */
  long nextWarningNanos;

  /** When the watchdog saw it first; used by the watchdog alone. */
  private @Nullable Long firstSeen;

  ActiveReconcile(Request request, long startedAt, long nextWarningNanos) {
    this.request = request;
    this.startedAt = startedAt;
    this.nextWarningNanos = nextWarningNanos;
  }

  /** Returns how long the watchdog has watched it; called by the watchdog at each look. */
  long watched(long now) {
    if (firstSeen == null) {
      firstSeen = now;
    }
    return now - firstSeen;
  }

  /** Interrupts the reconcile because its time is over; returns false if it was before. */
  boolean timeOut() {
    lock.lock();
    try {
      if (ended || timedOut) {
        return false;
      }
      timedOut = true;
      thread.interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts the reconcile because its object belongs to another replica now. */
  void lose() {
    lock.lock();
    try {
      if (!ended && !lost) {
        lost = true;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the reconcile; called by its thread. Returns whether its time was over. */
  boolean end() {
    lock.lock();
    try {
      ended = true;
      if (timedOut || lost) {
        Thread.interrupted(); // Ours, and of no concern to the next reconcile.
      }
      return timedOut;
    } finally {
      lock.unlock();
    }
  }

  boolean isTimedOut() {
    lock.lock();
    try {
      return timedOut;
    } finally {
      lock.unlock();
    }
  }

  /** Returns where the thread is, for a warning. */
  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }
}
