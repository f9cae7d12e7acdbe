package dev.clientgo.workqueue;

/**
 * The order in which a queue hands out items, for those to whom first in, first out does not do.
 *
 * <p>The queue owns the object and calls it under its lock, by one thread at a time: methods must
 * be quick, must not block, and must not use the queue. An item is pushed at most once before it is
 * popped. If a method throws, the operation that called it fails and leaves the queue as it was.
 *
 * <p>Made for extension. Corresponds to client-go's {@code util/workqueue.Queue}. Unlike there, it
 * need not count what it holds.
 *
 * @param <T> the type of items
 */
public interface QueueOrder<T> {

  /** Takes in an item that is not in here. */
  void push(T item);

  /** Removes and returns the item to be handed out next. Called only if there is one. */
  T pop();

  /** Notes that an item in here was added again: a chance to move it. Does nothing by default. */
  default void touch(T item) {}
}
