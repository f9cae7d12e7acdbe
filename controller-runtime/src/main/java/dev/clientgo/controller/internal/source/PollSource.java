package dev.clientgo.controller.internal.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
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
  private final ReentrantLock lock = new ReentrantLock();

  /** When the call that is running began; null between calls. */
  @GuardedBy("lock")
  private @Nullable Long begun;

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
      began(clock.nanoTime());
      Collection<R> requests =
          callbacks.call("The poller", () -> name, List.of(), this::pollUnlessClosed);
      began(null);
      if (closed) {
        return;
      }
      try {
        requests.forEach(intake::add);
        clock.sleep(period);
      } catch (InterruptedException e) {
        // Closed, or the program has left an interrupt behind.
      } catch (Throwable e) { // No memory: the next call returns the requests again.
        callbacks.call("The queue of a poller", () -> name, 0, () -> rethrow(e));
      }
    }
  }

  private List<R> pollUnlessClosed() throws Exception {
    try {
      return List.copyOf(poll.call());
    } catch (InterruptedException e) {
      if (closed) {
        return List.of(); // Of close(): the function has not failed.
      }
      throw e;
    }
  }

  private static int rethrow(Throwable error) throws Exception {
    if (error instanceof Error e) {
      throw e;
    }
    throw (Exception) error;
  }

  private void began(@Nullable Long when) {
    lock.lock();
    try {
      begun = when;
    } finally {
      lock.unlock();
    }
  }

  /** Returns that the function has not returned for long; empty if it has. */
  public Optional<String> problem() {
    lock.lock();
    try {
      if (begun == null) {
        return Optional.empty();
      }
      Duration time = Duration.ofNanos(clock.nanoTime() - begun);
      boolean slow = time.compareTo(SLOW) > 0 && time.compareTo(period.multipliedBy(3)) > 0;
      return slow
          ? Optional.of("poller " + name + " has not returned for " + time)
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the calling thread is that of the function. */
  public boolean isOfCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** Begins to end the thread, and returns it. */
  public Thread close() {
    closed = true;
    thread.interrupt();
    return thread;
  }
}
