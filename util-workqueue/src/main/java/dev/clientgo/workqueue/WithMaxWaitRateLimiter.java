package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** A limit to the delays of another limiter. */
final class WithMaxWaitRateLimiter<T> implements RateLimiter<T> {

  private final RateLimiter<T> limiter;
  private final Duration maxDelay;

  WithMaxWaitRateLimiter(RateLimiter<T> limiter, Duration maxDelay) {
    this.limiter = limiter;
    this.maxDelay = requireNonNull(maxDelay, "maxDelay");
  }

  @Override
  public Duration delayFor(T item) {
    Duration delay = limiter.delayFor(item);
    return delay.compareTo(maxDelay) > 0 ? maxDelay : delay;
  }

  @Override
  public void forget(T item) {
    limiter.forget(item);
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(item);
  }
}
