package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/** Runs an action in a new thread when a timeout expires, unless it is closed before. */
public final class DeadlineTimer implements AutoCloseable {

  private final Thread thread;
  private volatile boolean expired;

  private DeadlineTimer(Clock clock, Duration timeout, Runnable action) {
    this.thread =
        clock
            .threads("client-go-deadline-")
            .newThread(
                () -> {
                  try {
                    clock.sleep(timeout);
                  } catch (InterruptedException e) {
                    return; // Closed before the timeout.
                  }
                  expired = true;
                  action.run();
                });
  }

  /** Starts a timer. */
  public static DeadlineTimer start(Clock clock, Duration timeout, Runnable action) {
    DeadlineTimer timer = new DeadlineTimer(clock, timeout, action);
    timer.thread.start();
    return timer;
  }

  /** Returns whether the timeout has expired. */
  public boolean hasExpired() {
    return expired;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
