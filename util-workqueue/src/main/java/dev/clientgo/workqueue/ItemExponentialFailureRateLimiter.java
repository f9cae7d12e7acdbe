package dev.clientgo.workqueue;

import java.time.Duration;

/** The base delay times two to the power of the failures before. */
final class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {

  private final FailureCounts<T> failures;
  private final long baseNanos;
  private final long maxNanos;

  ItemExponentialFailureRateLimiter(Duration baseDelay, Duration maxDelay) {
    this(baseDelay, maxDelay, new FailureCounts<>());
  }

  ItemExponentialFailureRateLimiter(
      Duration baseDelay, Duration maxDelay, FailureCounts<T> failures) {
    this.baseNanos = Nanos.notNegative(baseDelay, "baseDelay");
    this.maxNanos = Nanos.notNegative(maxDelay, "maxDelay");
    this.failures = failures;
  }

  @Override
  public Duration when(T item) {
    int exponent = failures.increment(item) - 1;
    // With as many zeros in front, shifting neither loses a bit nor reaches the sign.
    boolean fits = baseNanos == 0 || exponent < Long.numberOfLeadingZeros(baseNanos);
    return Duration.ofNanos(fits ? Math.min(baseNanos << exponent, maxNanos) : maxNanos);
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
