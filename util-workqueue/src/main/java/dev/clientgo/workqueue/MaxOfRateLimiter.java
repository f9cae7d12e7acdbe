package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.List;

/** The worst of several. */
final class MaxOfRateLimiter<T> implements RateLimiter<T> {

  private final List<RateLimiter<? super T>> limiters;

  MaxOfRateLimiter(List<? extends RateLimiter<? super T>> limiters) {
    this.limiters = List.copyOf(limiters);
  }

  @Override
  public Duration delayFor(T item) {
    Duration longest = Duration.ZERO;
    for (RateLimiter<? super T> limiter : limiters) {
      Duration delay = limiter.delayFor(item); // Each of them: they all count.
      longest = delay.compareTo(longest) > 0 ? delay : longest;
    }
    return longest;
  }

  @Override
  public void forget(T item) {
    limiters.forEach(limiter -> limiter.forget(item));
  }

  @Override
  public int numRequeues(T item) {
    return limiters.stream().mapToInt(limiter -> limiter.numRequeues(item)).max().orElse(0);
  }
}
