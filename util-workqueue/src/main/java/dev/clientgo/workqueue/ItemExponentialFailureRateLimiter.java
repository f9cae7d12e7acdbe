package dev.clientgo.workqueue;

import java.time.Duration;

/** The base delay times two to the power of the failures before. */
final class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {

  private final FailureCounts<T> failures = new FailureCounts<>();
  private final long baseNanos;
  private final long maxNanos;

  ItemExponentialFailureRateLimiter(Duration baseDelay, Duration maxDelay) {
    this.baseNanos = Nanos.notNegative(baseDelay, "baseDelay");
    this.maxNanos = Nanos.notNegative(maxDelay, "maxDelay");
  }

  @Override
  public Duration delayFor(T item) {
    int failuresBefore = failures.increment(item) - 1;
    return Duration.ofNanos(Math.min(doubled(baseNanos, failuresBefore), maxNanos));
  }

  /** Doubles a number that is not negative so many times, or until it does not fit any more. */
  static long doubled(long nanos, int times) {
    // With as many zeros in front, shifting neither loses a bit nor reaches the sign.
    boolean fits = nanos == 0 || times < Long.numberOfLeadingZeros(nanos);
    return fits ? nanos << times : Long.MAX_VALUE;
  }

  @Override
  public void forget(T item) {
    failures.forget(item);
  }

  @Override
  public int numRequeues(T item) {
    return failures.of(item);
  }
}
