package dev.clientgo.leaderelection.internal;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

/**
 * The threads that an elector or a shard group has started and that have not ended. Safe for use by
 * many threads.
 */
public final class LeaseThreads {

  private final ThreadFactory factory;
  private final Clock clock;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Creates an instance without threads. */
  public LeaseThreads(ThreadFactory factory, Clock clock) {
    this.factory = factory;
    this.clock = clock;
  }

  /** Starts a thread. */
  public Thread start(Runnable task) {
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
    try {
      thread.start();
    } catch (Error e) {
      threads.remove(thread); // The system has no memory for it.
      throw e;
    }
    return thread;
  }

  /** Returns whether the current thread is one of these. */
  public boolean containCurrent() {
    return threads.contains(Thread.currentThread());
  }

  /** Waits until a thread has ended. */
  public void awaitEnd(Thread thread) throws InterruptedException {
    clock.join(List.of(thread), Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits until the threads have ended, except the current one.
   *
   * @return the names of those that have not ended in time
   * @throws InterruptedException if the thread is interrupted
   */
  public List<String> join(Duration timeout) throws InterruptedException {
    List<Thread> others = new ArrayList<>(threads);
    others.remove(Thread.currentThread());
    clock.join(others, timeout);
    return others.stream().filter(Thread::isAlive).map(Thread::getName).toList();
  }
}
