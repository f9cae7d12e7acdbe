package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.Collection;

/**
 * A rate limiting queue that hands out the item with the highest priority first; first in, first
 * out among equals.
 *
 * <p>A controller that starts gives the many objects of its first list {@link #LOW_PRIORITY}, so
 * that changes that happen meanwhile do not queue behind them.
 *
 * <p>An item has one entry. Adding the item again can only make it more urgent: the entry keeps the
 * highest priority and the earliest time of all adds. An item whose priority rises goes behind the
 * items that have that priority already. An item that waited goes behind the items that were ready
 * before its time came.
 *
 * <p>It differs from other {@link RateLimitingQueue}s:
 *
 * <ul>
 *   <li>{@link #add} of an item that waits makes it ready now, and it is not added a second time.
 *   <li>An item added while it is processed is a new entry, with its own priority and delay. {@link
 *       #size} counts it if it is ready, though it is not handed out before the first is done.
 *   <li>{@link #shutDown} drops the items that the queue holds, so workers end at once.
 *   <li>{@code retries_total} counts delays only, not calls with a delay of zero.
 * </ul>
 *
 * <p>Corresponds to controller-runtime's {@code priorityqueue.PriorityQueue}. Unlike there, {@link
 * #shutDownWithDrain()} hands out the ready items and waits for them, and a second {@link
 * #shutDown} is harmless.
 *
 * @param <T> the type of items
 */
public sealed interface PriorityQueue<T> extends RateLimitingQueue<T> permits HeapPriorityQueue {

  /** The usual priority of initial lists and resyncs, which are not urgent: {@value}. */
  int LOW_PRIORITY = -100;

  /**
   * Returns a queue without a name or metrics, whose items that fail wait for 5 ms at first, twice
   * as long each time, and 1000 s at most.
   */
  static <T> PriorityQueue<T> create() {
    return create(QueueConfig.defaults());
  }

  /**
   * Returns a queue whose items that fail wait for 5 ms at first, twice as long each time, and 1000
   * s at most.
   */
  static <T> PriorityQueue<T> create(QueueConfig config) {
    return create(
        RateLimiter.<T>itemExponentialFailure(Duration.ofMillis(5), Duration.ofSeconds(1000)),
        config);
  }

  /** Returns a queue with the caller's own rate limiter. */
  static <T> PriorityQueue<T> create(RateLimiter<? super T> limiter, QueueConfig config) {
    return AbstractWorkQueue.open(new HeapPriorityQueue<>(config, limiter));
  }

  /**
   * Adds an item with a priority, a delay, or both. Corresponds to controller-runtime's {@code
   * AddWithOpts}.
   */
  void add(T item, AddOptions options);

  /** Adds items in one step: no item of another thread comes between them. */
  void addAll(Collection<? extends T> items, AddOptions options);
}
