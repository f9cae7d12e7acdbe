package dev.clientgo.rest;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/** Until when something must be over, retries included. */
final class Deadline {

  private final Clock clock;
  private final Duration timeout;
  private final long start;

  /** Sets a deadline from now, or none if the timeout is zero. */
  Deadline(Clock clock, Duration timeout) {
    this.clock = clock;
    this.timeout = timeout;
    this.start = clock.nanoTime();
  }

  /** Returns the time that is left, at least a moment; zero if there is no deadline. */
  Duration left() {
    if (timeout.isZero()) {
      return Duration.ZERO;
    }
    Duration left = timeout.minusNanos(clock.nanoTime() - start);
    return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
  }

  /** Returns whether it is over before this time has passed. */
  boolean isBefore(Duration duration) {
    return !timeout.isZero() && left().compareTo(duration) < 0;
  }
}
