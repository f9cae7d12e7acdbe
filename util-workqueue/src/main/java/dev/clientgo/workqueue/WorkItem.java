package dev.clientgo.workqueue;

/**
 * An item in the hands of a worker, until {@link #done}.
 *
 * <p>While a worker holds it, the queue hands the same item to nobody else. It is {@link
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
 * twice is harmless: it cannot release the item from under the worker that got it next.
 *
 * @param <T> the type of items
 */
public sealed interface WorkItem<T> extends AutoCloseable permits Life {

  /** Returns what was added to the queue. */
  T value();

  /** Returns the priority that the item was handed out with: 0 unless the queue has priorities. */
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
