package dev.clientgo.rest;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** Does something when the time is up, unless it is closed before. It has a thread for that. */
final class DeadlineTimer implements AutoCloseable {

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-deadline-");

  private final Thread thread;
  private volatile boolean rung;

  private DeadlineTimer(Clock clock, Duration timeout, Runnable action) {
    this.thread =
        THREADS.newThread(
            () -> {
              try {
                clock.sleep(timeout);
              } catch (InterruptedException e) {
                return; // It was not needed.
              }
              rung = true;
              action.run();
            });
  }

  /** Sets an alarm. */
  static DeadlineTimer set(Clock clock, Duration timeout, Runnable action) {
    DeadlineTimer alarm = new DeadlineTimer(clock, timeout, action);
    alarm.thread.start();
    return alarm;
  }

  /** Returns whether the time is up. */
  boolean hasRung() {
    return rung;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
