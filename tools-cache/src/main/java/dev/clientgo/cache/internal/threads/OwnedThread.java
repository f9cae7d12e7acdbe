package dev.clientgo.cache.internal.threads;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** A thread with an owner, which ends it: it interrupts the thread and waits for it. */
public final class OwnedThread {

  /** The code that the thread runs. */
  @FunctionalInterface
  public interface Body {
    /** Runs until it is done or interrupted. */
    void run() throws InterruptedException;
  }

  private static final Logger LOG = System.getLogger(OwnedThread.class.getName());

  private final Thread thread;

  private OwnedThread(Thread thread) {
    this.thread = thread;
  }

  /** Starts a thread. */
  public static OwnedThread start(ThreadFactory factory, String name, Body body) {
    OwnedThread thread = create(factory, name, body);
    thread.begin();
    return thread;
  }

  /** Makes a thread that runs from {@link #begin} on. */
  static OwnedThread create(ThreadFactory factory, String name, Body body) {
    Thread thread = factory.newThread(() -> run(name, body));
    thread.setName(name);
    return new OwnedThread(thread);
  }

  void begin() {
    thread.start();
  }

  private static void run(String name, Body body) {
    try {
      body.run();
    } catch (InterruptedException e) {
      LOG.log(Level.TRACE, () -> "Interrupted: thread=" + name, e);
    } catch (Throwable t) {
      CrashLog.log(LOG, Level.ERROR, "A thread has ended that should not have: thread=" + name, t);
      throw t;
    }
  }

  private boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  /** Interrupts the thread, unless it is the current one. */
  public void interrupt() {
    if (!isCurrent()) {
      thread.interrupt();
    }
  }

  /**
   * Waits until the thread has ended or the time is up. Returns at once if it is the current one.
   *
   * @return whether the thread has ended
   */
  public boolean join(Clock clock, Duration timeout) throws InterruptedException {
    return isCurrent() ? !thread.isAlive() : clock.join(List.of(thread), timeout);
  }

  /**
   * Waits until all threads have ended or the time is up, but not for the current one. If the
   * current thread is interrupted, returns at once and leaves the flag set.
   *
   * @return whether all have ended, the current one aside
   */
  public static boolean joinAll(Clock clock, List<OwnedThread> threads, Duration timeout) {
    List<Thread> others =
        threads.stream()
            .filter(thread -> !thread.isCurrent())
            .map(thread -> thread.thread)
            .toList();
    try {
      return clock.join(others, timeout);
    } catch (InterruptedException e) {
      // The threads have been interrupted; the caller has no time to see them end.
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Logs a warning for each thread that still runs. Does nothing if the current thread is
   * interrupted, because {@link #joinAll} has not waited then.
   */
  public static void warnOfRunning(List<OwnedThread> threads) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    for (OwnedThread thread : threads) {
      if (thread.thread.isAlive() && !thread.isCurrent()) {
        String name = thread.thread.getName();
        LOG.log(Level.WARNING, "A thread of a closed informer still runs: thread={0}", name);
      }
    }
  }
}
