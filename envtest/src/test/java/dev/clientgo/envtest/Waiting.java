package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls for conditions in other processes, which cannot signal them. */
final class Waiting {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Waiting() {}

  /** Waits until the condition is true; fails after 3 min. */
  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(clock.nanoTime() - deadline).as(LIMIT + " passed before " + what).isNegative();
      clock.sleep(Duration.ofMillis(20));
    }
  }
}
