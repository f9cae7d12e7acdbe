package dev.clientgo.workqueue;

import java.time.Duration;

/**
 * A work queue that items can be added to at a later time, so that what failed is not tried again
 * in a hot loop.
 *
 * <p>An item waits once: added again with another delay, it keeps the earlier time. A delay is
 * measured from the call, and an item never comes early. Nothing bounds how many items may wait;
 * one costs about 85 bytes beside itself.
 *
 * <p>Waiting and being queued are separate: {@link #add} does not end the wait of an item, which is
 * added once more when its time comes. Controllers rely on that reminder, so it stays as in
 * client-go; {@link PriorityQueue} does it the other way.
 *
 * <p>Unlike client-go: there is no thread that watches the time. Whoever uses the queue moves what
 * has become ready, and one of the workers that wait for an item waits no longer than until the
 * next one is ready. Items that still wait when the queue is shut down are dropped, as in
 * client-go.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedDelayingInterface}.
 *
 * @param <T> the type of items
 */
public sealed interface DelayingQueue<T> extends WorkQueue<T>
    permits RateLimitingQueue, DirtyDelayingQueue {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> DelayingQueue<T> create() {
    return create(QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> DelayingQueue<T> create(QueueConfig config) {
    return QueueCore.open(new DirtyDelayingQueue<>(config, new LifeList<>()));
  }

  /** Returns a queue that hands out items in an order of the caller's own. */
  static <T> DelayingQueue<T> create(QueueConfig config, QueueOrder<T> order) {
    return QueueCore.open(new DirtyDelayingQueue<>(config, new CustomOrder<>(order)));
  }

  /**
   * Adds an item when the delay is over; at once if it is zero or less. Does nothing if the item
   * waits already and its time comes sooner, or if the queue is shutting down.
   */
  void addAfter(T item, Duration delay);
}
