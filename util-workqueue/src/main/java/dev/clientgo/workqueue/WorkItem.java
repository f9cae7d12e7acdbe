package dev.clientgo.workqueue;

/**
 * An item that a worker has taken and not yet marked {@link #done}.
 *
 * <p>Until then the queue does not give the same item to another worker. It is {@link
 * AutoCloseable} so that {@code done} cannot be forgotten:
 *
 * <pre>{@code
 * try (WorkItem<String> work = next) {
 *   reconcile(work.value());
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 *
 * <p>Corresponds to the pair of client-go's {@code Get} and {@code Done}. Unlike there, finishing
 * twice is harmless: it does not release the item that another worker has taken since.
 *
 * @param <T> the type of items
 */
public sealed interface WorkItem<T> extends AutoCloseable permits TakenItem {

  /** Returns what was added to the queue. */
  T value();

  /**
   * Returns the priority that the item had when it was taken: 0 unless the queue has priorities.
   */
  int priority();

  /**
   * Ends the processing. If the item was added again in the meantime, it is queued now. Calls after
   * the first do nothing.
   */
  void done();

  /** Ends the processing, as {@link #done} does. */
  @Override
  default void close() {
    done();
  }
}
