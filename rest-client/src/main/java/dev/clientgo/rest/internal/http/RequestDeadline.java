package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;

/** The time by which a request must end, its retries included. */
public final class RequestDeadline {

  private final Duration timeout;
  private final Deadline deadline;

  /** Starts a timeout now; zero for no deadline. */
  public RequestDeadline(Clock clock, Duration timeout) {
    this.timeout = timeout;
    this.deadline = clock.deadline(timeout);
  }

  /** Returns the time left, at least 1 ms; zero if there is no deadline. */
  public Duration left() {
    if (timeout.isZero()) {
      return Duration.ZERO;
    }
    Duration left = deadline.left();
    return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
  }

  /** Returns whether the deadline comes before the end of a duration. */
  boolean isBefore(Duration duration) {
    return !timeout.isZero() && left().compareTo(duration) < 0;
  }
}
