package dev.clientgo.workqueue;

/**
 * A work queue that delays an item by how often it has failed.
 *
 * <p>The queue does not know whether an item has failed. A worker calls {@link #addRateLimited}
 * after a failure and {@link #forget} after a success; without {@code forget}, the delays only
 * grow. {@link Workers} calls both.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedRateLimitingInterface}.
 *
 * @param <T> the type of items
 */
public sealed interface RateLimitingQueue<T> extends DelayingQueue<T>
    permits PriorityQueue, LimitedDelayingQueue {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> RateLimitingQueue<T> create(RateLimiter<? super T> limiter) {
    return create(limiter, QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> RateLimitingQueue<T> create(RateLimiter<? super T> limiter, QueueConfig config) {
    return create(limiter, config, new PlainWorkQueue.Fifo<>());
  }

  /** Returns a queue with the caller's own order. */
  static <T> RateLimitingQueue<T> create(
      RateLimiter<? super T> limiter, QueueConfig config, QueueOrder<T> order) {
    return AbstractWorkQueue.open(new LimitedDelayingQueue<>(config, order, limiter));
  }

  /**
   * Adds an item after the delay that the rate limiter returns. The rate limiter counts a failure.
   */
  void addRateLimited(T item);

  /**
   * Makes the rate limiter forget the failures of an item, because it has succeeded or is given up.
   * The worker must still mark the item done.
   */
  void forget(T item);

  /** Returns how often the item has failed since it was last forgotten. */
  int numRequeues(T item);
}
