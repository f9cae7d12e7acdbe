package dev.clientgo.controller.internal.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A reconcile that a worker is in. Its thread is interrupted only while it lasts. */
public final class ActiveReconcile {

  /** How long a reconcile is watched before the first warning. */
  public static final Duration SLOW = Duration.ofMinutes(1);

  public final Object request;
  public final long startedAt;
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
  private long nextWarningNanos = SLOW.toNanos();

  /** When the watchdog saw it first; used by the watchdog alone. */
  private @Nullable Long firstSeen;

  /** Begins a reconcile in the calling thread. */
  public ActiveReconcile(Object request, long startedAt) {
    this.request = request;
    this.startedAt = startedAt;
  }

  /**
   * Returns whether it is so slow that a warning is due; called by the watchdog at each look. Each
   * warning comes at twice the time of the one before. The time begins with the first look, because
   * a fake clock may have jumped since the start.
   */
  public boolean isSlow(long now) {
    if (firstSeen == null) {
      firstSeen = now;
    }
    if (now - firstSeen < nextWarningNanos) {
      return false;
    }
    nextWarningNanos *= 2;
    return true;
  }

  /** Returns the time until the next warning, in nanoseconds, after {@link #isSlow}. */
  public long untilWarning(long now) {
    return nextWarningNanos - (now - (firstSeen == null ? now : firstSeen));
  }

  /** Interrupts the reconcile because its time has expired; returns false if it ended before. */
  public boolean timeOut() {
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
  public void lose() {
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

  /**
   * Ends the reconcile; called by its thread. Does nothing the second time. Returns whether its
   * time was over.
   */
  public boolean end() {
    lock.lock();
    try {
      if (!ended && (timedOut || lost)) {
        Thread.interrupted(); // Ours, and of no concern to the next reconcile.
      }
      ended = true;
      return timedOut;
    } finally {
      lock.unlock();
    }
  }

  public boolean isTimedOut() {
    lock.lock();
    try {
      return timedOut;
    } finally {
      lock.unlock();
    }
  }

  /**
   * That of the thread: the JVM computes one for each new object, and sets of these change often.
   */
  @Override
  public int hashCode() {
    return thread.hashCode();
  }

  public boolean isOfCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** Returns where the thread is, for a warning. */
  public StackTraceElement[] stack() {
    return thread.getStackTrace();
  }
}
