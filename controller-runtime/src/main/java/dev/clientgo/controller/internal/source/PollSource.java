package dev.clientgo.controller.internal.source;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function of the program periodically, and puts the requests that it returns into the
 * queue. Safe for use by many threads.
 *
 * @param <R> the type of the requests
 */
public final class PollSource<R> {

  /** A call is a problem after this time, or after three periods if that is longer. */
  private static final Duration SLOW = Duration.ofMinutes(1);

  private final String name;
  private final Duration period;
  private final Callable<Collection<R>> poll;
  private final RequestIntake<R> intake;
  private final CallbackGuard callbacks;
  private final Clock clock;
  private final Thread thread;

  /** When the call that is running began; null between calls. */
  private volatile @Nullable Long begun;

  private volatile boolean closed;

  /** Creates a source, which {@link #start} starts. */
  public PollSource(
      String name,
      Duration period,
      Callable<Collection<R>> poll,
      RequestIntake<R> intake,
      CallbackGuard callbacks,
      Clock clock,
      ThreadFactory threads) {
    this.name = name;
    this.period = period;
    this.poll = poll;
    this.intake = intake;
    this.callbacks = callbacks;
    this.clock = clock;
    thread = threads.newThread(this::run);
    thread.setName("controller-" + name);
  }

  /** Starts the thread, which polls at once. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed && !clock.isStopped()) {
      begun = clock.nanoTime();
      try {
        // By its name: the success of one poller says nothing about another.
        callbacks.call("The poller " + name, () -> period, false, this::pollOnce);
      } catch (Throwable e) {
        // No memory for the call, nor to log it: the next one comes after the period, too.
      }
      begun = null;
      Thread.interrupted(); // The program has left it behind, or this is closed.
      pause();
    }
  }

  private void pause() {
    try {
      if (!closed) {
        clock.sleep(period);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private boolean pollOnce() throws Exception {
    try {
      poll.call().forEach(request -> intake.add(requireNonNull(request, "request")));
      return true;
    } catch (InterruptedException e) {
      if (closed) {
        return false; // Of close(): the function has not failed.
      }
      throw e;
    }
  }

  /** Returns that the function has not returned for long; empty if it has. */
  public Optional<String> problem() {
    Long since = begun;
    if (since == null) {
      return Optional.empty();
    }
    Duration time = Duration.ofNanos(clock.nanoTime() - since);
    boolean slow = time.compareTo(SLOW) > 0 && time.dividedBy(3).compareTo(period) > 0;
    return slow
        ? Optional.of("poller " + name + " has not returned for " + time)
        : Optional.empty();
  }

  /** Returns whether the calling thread is that of the function. */
  public boolean isOfCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** Begins to end the thread, and returns it. */
  public Thread close() {
    closed = true;
    if (!isOfCurrentThread()) { // Or the function that closes its manager could wait for nothing.
      thread.interrupt();
    }
    return thread;
  }
}
