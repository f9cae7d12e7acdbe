package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/** The time by which a request must end, its retries included. */
public final class Deadline {

  private final Clock clock;
  private final Duration timeout;
  private final long start;

  /** Starts a timeout now; zero for no deadline. */
  public Deadline(Clock clock, Duration timeout) {
    this.clock = clock;
    this.timeout = timeout;
    this.start = clock.nanoTime();
  }

  /** Returns the time left, at least 1 ms; zero if there is no deadline. */
  public Duration left() {
    if (timeout.isZero()) {
      return Duration.ZERO;
    }
    Duration left = timeout.minusNanos(clock.nanoTime() - start);
    return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
  }

  /** Returns whether the deadline comes before the end of a duration. */
  boolean isBefore(Duration duration) {
    return !timeout.isZero() && left().compareTo(duration) < 0;
  }
}
