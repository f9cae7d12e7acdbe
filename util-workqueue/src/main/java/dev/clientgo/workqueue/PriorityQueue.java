package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.Collection;

/**
 * A rate limiting queue that hands out the item of the highest priority first; first in, first out
 * among equals.
 *
 * <p>A controller that starts up gives the many objects of its first list {@link #LOW_PRIORITY}, so
 * that changes that happen meanwhile need not queue behind them.
 *
 * <p>An item has one entry, and what is added to it only ever makes it more urgent: it has the
 * highest priority and the earliest time that was asked for. An item whose priority rises goes
 * behind its new peers. An item that waited and whose time has come queues behind what was ready
 * before.
 *
 * <p>It is a {@link RateLimitingQueue} but for these differences:
 *
 * <ul>
 *   <li>{@link #add} of an item that waits makes it ready now, and it is not added a second time.
 *   <li>An item added while it is processed is a new entry, with a priority and a delay of its own.
 *       {@link #size} counts it if it is ready, though it is not handed out before the first is
 *       done.
 *   <li>{@link #shutDown} drops what the queue holds: workers are told to end at once.
 *   <li>{@code retries_total} counts delays only, not calls with a delay of zero.
 * </ul>
 *
 * <p>Corresponds to controller-runtime's {@code priorityqueue.PriorityQueue}. Unlike there, {@link
 * #shutDownWithDrain()} does hand out what is ready and waits for it, and a second {@link
 * #shutDown} is harmless.
 *
 * @param <T> the type of items
 */
public sealed interface PriorityQueue<T> extends RateLimitingQueue<T> permits HeapPriorityQueue {

  /** The priority by convention of what nobody waits for, initial lists and resyncs: {@value}. */
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

  /** Returns a queue with a rate limiter of the caller's own. */
  static <T> PriorityQueue<T> create(RateLimiter<? super T> limiter, QueueConfig config) {
    return QueueCore.open(new HeapPriorityQueue<>(config, limiter));
  }

  /**
   * Adds an item with a priority, a delay, or both. Corresponds to controller-runtime's {@code
   * AddWithOpts}.
   */
  void add(T item, AddOptions options);

  /** Adds items, one after the other, none of which another thread can come between. */
  void addAll(Collection<? extends T> items, AddOptions options);
}
