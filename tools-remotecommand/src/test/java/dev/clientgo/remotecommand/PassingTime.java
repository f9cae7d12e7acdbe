package dev.clientgo.remotecommand;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;

/** Moves a clock on by a step each time a thread waits for it. */
public final class PassingTime {

  /** Code that needs the time to pass. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  private PassingTime() {}

  /** Runs the body while the time passes. */
  public static void during(FakeClock clock, Duration step, Body body) throws Exception {
    Thread thread = new Thread(() -> move(clock, step), "passing-time");
    thread.start();
    try {
      body.run();
    } finally {
      thread.interrupt();
      thread.join();
    }
  }

  private static void move(FakeClock clock, Duration step) {
    try {
      while (true) {
        clock.awaitWaiters(1);
        clock.advance(step);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The body has ended.
    }
  }
}
