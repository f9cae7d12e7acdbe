package dev.clientgo.workqueue;

import java.time.Duration;

/**
 * A work queue to which an item can be added after a delay, so that a failure is not tried again in
 * a hot loop.
 *
 * <p>An item waits once: if it is added again with another delay, the earlier time counts. A delay
 * begins with the call, and an item never comes early. Any number of items may wait; each costs
 * about 85 bytes beside the item.
 *
 * <p>Waiting and being queued are separate: {@link #add} does not end the wait of an item, which is
 * added once more when its time comes. Controllers rely on that reminder, so it stays as in
 * client-go; in a {@link PriorityQueue}, {@code add} ends the wait.
 *
 * <p>Unlike client-go: no thread watches the time. Each operation of the queue first moves in the
 * items that are due, and one of the workers that wait for an item waits only until the next one is
 * due. Items that still wait when the queue is shut down are dropped, as in client-go.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedDelayingInterface}.
 *
 * @param <T> the type of items
 */
public sealed interface DelayingQueue<T> extends WorkQueue<T>
    permits RateLimitingQueue, PlainWorkQueue {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> DelayingQueue<T> create() {
    return create(QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> DelayingQueue<T> create(QueueConfig config) {
    return create(config, new PlainWorkQueue.Fifo<>());
  }

  /** Returns a queue with the caller's own order. */
  static <T> DelayingQueue<T> create(QueueConfig config, QueueOrder<T> order) {
    return AbstractWorkQueue.open(new PlainWorkQueue<>(config, order));
  }

  /**
   * Adds an item when the delay has passed, or at once if the delay is zero or less. Does nothing
   * if the item waits already for an earlier time, or if the queue is shutting down.
   */
  void addAfter(T item, Duration delay);
}
