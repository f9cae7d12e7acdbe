package dev.clientgo.workqueue;

/**
 * A work queue that knows how long an item that failed should wait.
 *
 * <p>The queue does not know what a failure is: a worker calls {@link #addRateLimited} when an item
 * has failed and {@link #forget} when it has not, or the delays only grow. {@link Workers} does
 * both.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedRateLimitingInterface}.
 *
 * @param <T> the type of items
 */
public sealed interface RateLimitingQueue<T> extends DelayingQueue<T>
    permits PriorityQueue, DirtyRateLimitingQueue {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> RateLimitingQueue<T> create(RateLimiter<? super T> limiter) {
    return create(limiter, QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> RateLimitingQueue<T> create(RateLimiter<? super T> limiter, QueueConfig config) {
    return QueueCore.open(new DirtyRateLimitingQueue<>(config, new LifeList<>(), limiter));
  }

  /** Returns a queue that hands out items in an order of the caller's own. */
  static <T> RateLimitingQueue<T> create(
      RateLimiter<? super T> limiter, QueueConfig config, QueueOrder<T> order) {
    return QueueCore.open(new DirtyRateLimitingQueue<>(config, new CustomOrder<>(order), limiter));
  }

  /**
   * Adds an item after the delay that the rate limiter asks for, which counts this as a failure.
   */
  void addRateLimited(T item);

  /**
   * Tells the rate limiter that the item is no longer tried again, be it done or given up. The item
   * itself must be marked done all the same.
   */
  void forget(T item);

  /** Returns how often the item has failed since it was last forgotten. */
  int numRequeues(T item);
}
