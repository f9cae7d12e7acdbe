package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster of {@link Clusters}: a thread that starts its manager, and replaces it if it fails. */
final class ClusterRun {

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final String name;
  private final RESTClient client;
  private final Supplier<Manager> managers;
  private final Clock clock;
  private final Thread thread;
  private final CrashLog crashes =
      new CrashLog(System.getLogger("dev.clientgo.controller.Clusters"));

  /** The newest manager; null before the first. */
  private volatile @Nullable Manager manager;

  /** Set before the manager is closed; a thread that makes one looks at it afterwards. */
  private volatile boolean closed;

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
      try {
        thread.start();
      } catch (Throwable e) { // No memory for a thread.
        first.close();
        throw e;
      }
    }
  }

  /** Makes it the manager, unless this is closed. */
  private boolean take(Manager next) {
    manager = next;
    if (closed) {
      next.close();
      return false;
    }
    return true;
  }

  @Nullable Manager manager() {
    return manager;
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    Manager next = manager();
    while (!closed && !clock.isStopped()) {
      try {
        long start = clock.nanoTime();
        runOnce(next, pause);
        next = null;
        if (clock.nanoTime() - start > LONGEST_PAUSE.multipliedBy(10).toNanos()) {
          pause = FIRST_PAUSE; // It was well for a long time.
        }
        Thread.interrupted(); // A user's function may have left it behind; close() comes later.
        if (!closed) {
          clock.sleep(pause);
        }
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
      } catch (InterruptedException e) {
        // The cluster is being removed.
      }
    }
  }

  /**
   * Runs a manager until it is closed or fails.
   *
   * @param first null to make a new one
   */
  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a user's function: a failure.
  private void runOnce(@Nullable Manager first, Duration pause) {
    try (Manager current = first == null ? managers.get() : first) {
      if (take(current)) {
        current.start();
        if (current.awaitReady(FOREVER)) {
          crashes.succeeded();
        }
        current.awaitEnd();
      }
    } catch (Throwable e) { // An interruption too: run() looks whether this is closed.
      if (!closed) {
        crashes.failed(
            "The controllers in a cluster have failed and start again: cluster="
                + name
                + " pause="
                + pause,
            e);
      }
    }
  }

  /** Returns the last failure if the controllers fail again and again without being ready. */
  Optional<String> problem() {
    return crashes.problem();
  }

  /** Ends the manager and the thread, and closes the client. */
  void close() {
    closed = true;
    Manager last = manager;
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
