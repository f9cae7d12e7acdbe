package dev.clientgo.leaderelection;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads that an elector has started and that have not ended. Safe for use by many threads.
 */
final class ElectionThreads {

  private final ThreadFactory factory;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  ElectionThreads(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Starts a thread. */
  Thread start(Runnable task) {
    Thread thread =
        factory.newThread(
            () -> {
              try {
                task.run();
              } finally {
                threads.remove(Thread.currentThread());
              }
            });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Returns whether the current thread is one of these. */
  boolean containCurrent() {
    return threads.contains(Thread.currentThread());
  }

  /**
   * Waits until the threads have ended, except the current one, in real time.
   *
   * @return the names of those that have not ended in time
   * @throws InterruptedException if the thread is interrupted
   */
  List<String> join(Duration timeout) throws InterruptedException {
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + timeout.toNanos();
    List<String> left = new ArrayList<>();
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()) {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - clock.nanoTime()));
        if (thread.isAlive()) {
          left.add(thread.getName());
        }
      }
    }
    return left;
  }
}
