package dev.clientgo.testing;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, with a bound. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Eventually() {}

  /** Waits until the condition is true, and fails after 2 min. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("waited " + LIMIT + " for: " + what);
      }
      clock.sleep(Duration.ofMillis(2));
    }
  }
}
