package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.reconcile.ReconcileTerm;
import dev.clientgo.controller.metrics.Metric;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link ManagerRunnable} in its thread. Safe for use by many threads. */
final class BackgroundWork {

  private static final Logger LOG = System.getLogger(ManagerRunnable.class.getName());

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** A run of this length was a success, however it ended. */
  private static final Duration LASTING = Duration.ofMinutes(10);

  private final String name;
  private final ManagerRunnable work;
  private final Client client;
  private final boolean needsLeadership;
  private final Environment environment;
  private final Clock clock;
  private final CrashLog crashes = new CrashLog(LOG);
  private final Metric failures;
  private final Runnable failed;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;

  /** When the work was last called; null before. */
  private volatile @Nullable Long begun;

  /** Creates an instance; {@link #start} starts it. */
  BackgroundWork(
      String name,
      ManagerRunnable work,
      boolean needsLeadership,
      Client client,
      Environment environment) {
    this.name = name;
    this.work = work;
    this.needsLeadership = needsLeadership;
    this.client = client;
    this.environment = environment;
    this.clock = environment.clock();
    failures =
        new Metric(
            "controller_runtime_runnable_failures_total",
            "Failures of the work that the program has added to the manager",
            Map.of("runnable", name));
    failed = environment.metrics().counter(failures);
  }

  void start() {
    Thread created = environment.threadFactory().newThread(this::run);
    created.setName("manager-" + name);
    thread = created;
    created.start();
  }

  @SuppressWarnings("InterruptedExceptionSwallowed") // May be of the program: a failure.
  private void run() {
    String message = "A runnable has failed and is started again: runnable=" + name;
    Duration pause = FIRST_PAUSE;
    while (!closed && !clock.isStopped()) {
      long start = clock.nanoTime();
      try {
        if (needsLeadership) {
          ReconcileTerm term = environment.leadership().await();
          if (term.isOver()) {
            return; // The process should end.
          }
          start = clock.nanoTime();
          begun = start;
          term.run("runnable " + name, () -> work.run(client));
        } else {
          begun = start;
          work.run(client);
        }
        crashes.succeeded();
        CrashLog.log(LOG, Level.INFO, "A runnable is done: runnable=" + name, null);
        return;
      } catch (Throwable e) { // An interruption, too: it may be one of the program's own.
        Thread.interrupted(); // Left behind by the program, or closed.
        if (closed || (needsLeadership && hasLost())) {
          return;
        }
        if (clock.nanoTime() - start >= LASTING.toNanos()) {
          crashes.succeeded();
          pause = FIRST_PAUSE;
        }
        crashes.failed(message, e);
        try {
          failed.run();
        } catch (Throwable uncounted) {
          // No memory to count it.
        }
        pause = pauseAfter(pause);
      }
    }
  }

  private boolean hasLost() {
    return environment.leadership().loss().isPresent();
  }

  /** Waits after a failure; returns the next pause. */
  private Duration pauseAfter(Duration pause) {
    try {
      clock.sleep(pause);
    } catch (InterruptedException e) {
      // Closed.
    }
    Duration next = pause.multipliedBy(2);
    return next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
  }

  /** Returns why the work does not get on; empty if it is done, lasts, or waits to lead. */
  Optional<String> problem() {
    if (thread == null || closed) {
      return Optional.of(closed ? "is closed" : "is not started");
    }
    Long since = begun;
    boolean lasts = since != null && clock.nanoTime() - since >= LASTING.toNanos();
    return lasts ? Optional.empty() : crashes.problem();
  }

  /** Interrupts the work, unless it calls this; {@link #close} waits for its end. */
  void shutDown() {
    closed = true;
    Thread running = thread;
    if (running != null && !isCurrentThread()) { // Or close() by the work could wait for nothing.
      running.interrupt();
    }
  }

  /**
   * Waits for the end of the work, after {@link #shutDown}.
   *
   * @return whether it has ended, or is the caller: its term waits for it
   */
  boolean close(Duration grace) {
    environment.metrics().remove(failures);
    Thread running = thread;
    if (running == null || isCurrentThread()) {
      return true;
    }
    boolean ended = false;
    try {
      ended = clock.join(List.of(running), grace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      LOG.log(
          Level.WARNING,
          "A runnable did not end when its manager was closed; its thread is left behind:"
              + " runnable={0}",
          name);
    }
    return ended;
  }

  /** Returns whether the calling thread is that of the work. */
  boolean isCurrentThread() {
    return thread == Thread.currentThread();
  }
}
