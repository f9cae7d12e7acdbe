package dev.clientgo.cache;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/**
 * Allows retries for some time after the first of a series of errors. A series ends when there was
 * no error for a while, or when its time is up.
 *
 * <p>Not safe for use by many threads. Corresponds to client-go's {@code RetryWithDeadline}.
 */
final class RetryWithDeadline {

  private final Duration longest;
  private final Duration quietPeriod;
  private final Clock clock;

  private boolean inSeries;
  private long first;
  private long last;

  /**
   * Creates an instance.
   *
   * @param longest how long a series may be; zero allows no retry
   * @param quietPeriod how long without an error ends a series
   */
  RetryWithDeadline(Duration longest, Duration quietPeriod, Clock clock) {
    this.longest = longest;
    this.quietPeriod = quietPeriod;
    this.clock = clock;
  }

  /** Takes note of an error and returns whether to try again. */
  boolean shouldRetryAfterError() {
    if (longest.isZero() || longest.isNegative()) {
      return false;
    }
    long now = clock.nanoTime();
    if (!inSeries || now - last >= quietPeriod.toNanos()) {
      inSeries = true;
      first = now;
    }
    last = now;
    if (now - first <= longest.toNanos()) {
      return true;
    }
    inSeries = false;
    return false;
  }
}
