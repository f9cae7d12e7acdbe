package dev.clientgo.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster of {@link Clusters}: a thread that starts its manager, and another one if it fails. */
final class ClusterRun {

  private static final Logger LOG = System.getLogger(Clusters.class.getName());

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final String name;
  private final RESTClient client;
  private final Supplier<Manager> managers;
  private final Clock clock;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();

  /** The newest manager; null before the first. */
  @GuardedBy("lock")
  private @Nullable Manager manager;

  @GuardedBy("lock")
  private boolean closed;

  ClusterRun(
      String name,
      RESTClient client,
      Supplier<Manager> managers,
      Clock clock,
      ThreadFactory threads) {
    this.name = name;
    this.client = client;
    this.managers = managers;
    this.clock = clock;
    thread = threads.newThread(this::run);
    thread.setName("cluster-" + name);
  }

  /** Starts. Throws what the user's functions throw. */
  void start() {
    Manager first = managers.get();
    if (take(first)) {
      thread.start();
    }
  }

  /** Makes it the manager, unless this is closed. */
  private boolean take(Manager next) {
    lock.lock();
    try {
      if (!closed) {
        manager = next;
        return true;
      }
    } finally {
      lock.unlock();
    }
    next.close();
    return false;
  }

  @Nullable Manager manager() {
    lock.lock();
    try {
      return manager;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    Manager current = manager();
    Duration pause = FIRST_PAUSE;
    try {
      while (current != null && !isClosed()) {
        long start = clock.nanoTime();
        runOnce(current, pause);
        if (isClosed()) {
          return;
        }
        if (clock.nanoTime() - start > LONGEST_PAUSE.multipliedBy(10).toNanos()) {
          pause = FIRST_PAUSE; // It was well for a long time.
        }
        clock.sleep(pause);
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        current = next();
      }
    } catch (InterruptedException e) {
      // The cluster is being removed.
    }
  }

  /** Runs a manager until it is closed or fails. */
  private void runOnce(Manager current, Duration pause) throws InterruptedException {
    try {
      current.start();
      current.awaitEnd();
    } catch (RuntimeException e) {
      if (!isClosed()) {
        LOG.log(
            Level.WARNING,
            () ->
                "The controllers in a cluster have failed and start again: cluster="
                    + name
                    + " pause="
                    + pause,
            e);
      }
    } finally {
      current.close();
    }
  }

  /** Returns another manager; null if the user's functions fail. */
  private @Nullable Manager next() {
    try {
      Manager next = managers.get();
      return take(next) ? next : null;
    } catch (RuntimeException e) {
      LOG.log(
          Level.ERROR,
          () ->
              "The controllers in a cluster cannot be made again, so it stands still: cluster="
                  + name,
          e);
      return null;
    }
  }

  /** Ends the manager and the thread, and closes the client. */
  void close() {
    Manager last;
    lock.lock();
    try {
      closed = true;
      last = manager;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.close();
    }
    thread.interrupt();
    try {
      if (thread != Thread.currentThread() && thread.getState() != Thread.State.NEW) {
        clock.join(List.of(thread), Duration.ofNanos(Long.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
