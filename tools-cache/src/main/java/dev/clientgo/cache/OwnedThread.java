package dev.clientgo.cache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** A thread with an owner, which ends it: it interrupts the thread and waits for it. */
final class OwnedThread {

  /** The code that the thread runs. */
  @FunctionalInterface
  interface Body {
    /** Runs until it is done or interrupted. */
    void run() throws InterruptedException;
  }

  private static final Logger LOG = System.getLogger(OwnedThread.class.getName());

  private final Thread thread;

  private OwnedThread(Thread thread) {
    this.thread = thread;
  }

  static OwnedThread start(ThreadFactory factory, String name, Body body) {
    Thread thread = factory.newThread(() -> run(name, body));
    thread.setName(name);
    thread.start();
    return new OwnedThread(thread);
  }

  private static void run(String name, Body body) {
    try {
      body.run();
    } catch (InterruptedException e) {
      LOG.log(Level.TRACE, () -> "Interrupted: thread=" + name, e);
    } catch (Throwable t) {
      LOG.log(Level.ERROR, () -> "A thread has ended that should not have: thread=" + name, t);
      throw t;
    }
  }

  boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  void interrupt() {
    thread.interrupt();
  }

  /**
   * Waits until the thread has ended or the time is up. Waits not at all if it is the current one.
   *
   * @return whether the thread has ended
   */
  boolean join(Duration timeout) throws InterruptedException {
    if (!isCurrent()) {
      // At least a millisecond: zero would mean for ever.
      thread.join(Math.max(1, timeout.toMillis()));
    }
    return !thread.isAlive();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  @Override
  public String toString() {
    return thread.getName();
  }
}
