package dev.clientgo.workqueue;

/**
 * Processes items.
 *
 * @param <T> the type of items
 * @param <X> what it throws if it fails
 */
@FunctionalInterface
public interface ItemHandler<T, X extends Exception> {

  /**
   * Processes one item. The queue calls it for one item at a time only once, and for different
   * items from as many threads as there are workers.
   *
   * @throws X if the item could not be processed
   */
  void handle(T item) throws X;
}
