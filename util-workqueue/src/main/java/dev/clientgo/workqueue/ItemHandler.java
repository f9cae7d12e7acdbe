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

  /**
   * A handler has thrown: what {@link Workers.Builder#onFailure} receives.
   *
   * @param item the item that was handled
   * @param error the exception or error that the handler has thrown
   * @param requeues how often in a row the item had failed and been added again before: 0 for its
   *     first failure
   * @param dropped whether the workers have given the item up; if not, they have added it again
   * @param <T> the type of items
   */
  record Failure<T>(T item, Throwable error, int requeues, boolean dropped) {}
}
