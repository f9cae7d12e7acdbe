package dev.clientgo.testing;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, with a bound. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Eventually() {}

  /** Waits until the condition is true, and fails after 2 min. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Deadline deadline = Clock.system().deadline(LIMIT);
    while (!condition.getAsBoolean()) {
      if (!deadline.sleep(Duration.ofMillis(2))) {
        throw new AssertionError("waited " + LIMIT + " for: " + what);
      }
    }
  }
}
