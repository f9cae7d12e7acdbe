package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

/** The rate limiting queue of client-go. */
final class DirtyRateLimitingQueue<T> extends DirtyDelayingQueue<T>
    implements RateLimitingQueue<T> {

  private final RateLimiter<? super T> limiter;

  DirtyRateLimitingQueue(QueueConfig config, ReadyOrder<T> ready, RateLimiter<? super T> limiter) {
    super(config, ready);
    this.limiter = requireNonNull(limiter, "limiter");
  }

  @Override
  public void addRateLimited(T item) {
    addAfter(item, limiter.when(requireNonNull(item, "item")));
  }

  @Override
  public void forget(T item) {
    limiter.forget(requireNonNull(item, "item"));
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(requireNonNull(item, "item"));
  }
}
