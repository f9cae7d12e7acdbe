package dev.clientgo.workqueue;

/**
 * Processes items.
 *
 * @param <T> the type of items
 * @param <X> the exception that it throws if it fails
 */
@FunctionalInterface
public interface ItemHandler<T, X extends Exception> {

  /**
   * Processes one item. Each worker calls it on its own thread, but never two at the same time for
   * the same item.
   *
   * @throws X if the item could not be processed
   */
  void handle(T item) throws X;
}
