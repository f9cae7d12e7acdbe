package dev.clientgo.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** A reconcile that a worker is in. Its thread is interrupted only while it lasts. */
final class ActiveReconcile {

  final Request request;
  final long startedAt;
  private final Thread thread = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private boolean timedOut;

  @GuardedBy("lock")
  private boolean ended;

  /** How long it may take until the next warning; used by the watchdog alone. */
  long nextWarningNanos;

  ActiveReconcile(Request request, long startedAt, long nextWarningNanos) {
    this.request = request;
    this.startedAt = startedAt;
    this.nextWarningNanos = nextWarningNanos;
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

  /** Ends the reconcile; called by its thread. Returns whether its time was over. */
  boolean end() {
    lock.lock();
    try {
      ended = true;
      if (timedOut) {
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
