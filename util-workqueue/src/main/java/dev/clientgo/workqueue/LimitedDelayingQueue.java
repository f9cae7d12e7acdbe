package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

/**
 * The rate limiting queue of client-go: a queue whose items can wait, and a rate limiter that knows
 * how long.
 *
 * <p>Corresponds to client-go's {@code rateLimitingType}.
 */
final class LimitedDelayingQueue<T> extends PlainWorkQueue<T> implements RateLimitingQueue<T> {

  private final RateLimiter<? super T> limiter;

  LimitedDelayingQueue(QueueConfig config, QueueOrder<T> order, RateLimiter<? super T> limiter) {
    super(config, order);
    this.limiter = requireNonNull(limiter, "limiter");
  }

  @Override
  public void addRateLimited(T item) {
    addAfter(item, limiter.delayFor(requireNonNull(item, "item")));
  }

  @Override
  public void forget(T item) {
    limiter.forget(requireNonNull(item, "item"));
    if (observer != null) {
      observer.forgotten(item);
    }
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(requireNonNull(item, "item"));
  }
}
