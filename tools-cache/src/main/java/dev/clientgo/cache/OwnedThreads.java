package dev.clientgo.cache;

import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/** Threads that have the same owner and end at the same time. Immutable. */
final class OwnedThreads {

  static final OwnedThreads NONE = new OwnedThreads(List.of());

  private static final Logger LOG = System.getLogger(OwnedThreads.class.getName());

  private final List<OwnedThread> threads;

  OwnedThreads(List<OwnedThread> threads) {
    this.threads = List.copyOf(threads);
  }

  /** Interrupts all threads but the current one. */
  void interrupt() {
    threads.stream().filter(thread -> !thread.isCurrent()).forEach(OwnedThread::interrupt);
  }

  /**
   * Waits until all threads have ended or the time is up, but not for the current one. If the
   * current thread is interrupted it does not wait at all, and the flag stays.
   *
   * @return whether all have ended, the current one aside
   */
  boolean join(Duration timeout) {
    // These are real threads, and so is the time.
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    boolean ended = true;
    try {
      for (OwnedThread thread : threads) {
        ended &= thread.join(timeout.minusNanos(clock.nanoTime() - start)) || thread.isCurrent();
      }
    } catch (InterruptedException e) {
      // The threads have been interrupted; the caller has no time to see them end.
      Thread.currentThread().interrupt();
      return false;
    }
    return ended;
  }

  /**
   * Logs a warning for each thread that still runs. Does nothing if the current thread is
   * interrupted, because it has not waited for the threads then.
   */
  void warnOfRunningThreads() {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    threads.stream()
        .filter(thread -> thread.isAlive() && !thread.isCurrent())
        .forEach(
            thread ->
                LOG.log(
                    Level.WARNING, "A thread of a closed informer goes on: thread={0}", thread));
  }
}
