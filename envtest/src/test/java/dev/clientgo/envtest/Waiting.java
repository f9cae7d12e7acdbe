package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls for conditions in other processes, which cannot signal them. */
final class Waiting {

  private Waiting() {}

  /** Waits until the condition is true; fails after 1 min. */
  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(clock.nanoTime() - deadline).as("60 s passed before " + what).isNegative();
      clock.sleep(Duration.ofMillis(20));
    }
  }
}
