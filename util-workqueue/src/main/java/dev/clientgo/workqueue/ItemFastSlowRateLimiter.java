package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** A short delay for the first failures, a long one for the others. */
final class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {

  private final FailureCounts<T> failures = new FailureCounts<>();
  private final Duration fastDelay;
  private final Duration slowDelay;
  private final int maxFastAttempts;

  ItemFastSlowRateLimiter(Duration fastDelay, Duration slowDelay, int maxFastAttempts) {
    this.fastDelay = requireNonNull(fastDelay, "fastDelay");
    this.slowDelay = requireNonNull(slowDelay, "slowDelay");
    this.maxFastAttempts = maxFastAttempts;
    if (fastDelay.isNegative() || slowDelay.isNegative() || maxFastAttempts < 0) {
      throw new IllegalArgumentException(
          "nothing here may be negative: fastDelay=%s, slowDelay=%s, maxFastAttempts=%s"
              .formatted(fastDelay, slowDelay, maxFastAttempts));
    }
  }

  @Override
  public Duration delayFor(T item) {
    return failures.increment(item) <= maxFastAttempts ? fastDelay : slowDelay;
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
