package dev.clientgo.workqueue;

/**
 * A custom order of items, for queues that need something other than first in, first out.
 *
 * <p>The queue owns the object and calls it under its lock, by one thread at a time. Methods must
 * be quick, must not block, and must not use the queue. An item is pushed at most once before it is
 * popped. If a method throws, the operation that called it fails and leaves the queue as it was.
 * But {@link WorkItem#done} always ends the processing. If {@code push} refuses an item that was
 * added again meanwhile, or an item whose delay has passed, the queue tries again a second later.
 *
 * <p>Made for extension. Corresponds to client-go's {@code util/workqueue.Queue}. Unlike there, it
 * need not count its items.
 *
 * @param <T> the type of items
 */
public interface QueueOrder<T> {

  /** Inserts an item that is not in here. */
  void push(T item);

  /** Removes and returns the next item. Called only if there is one. */
  T pop();

  /** Called when an item in here is added again, and may move it. Does nothing by default. */
  default void touch(T item) {}
}
