package dev.clientgo.workqueue;

import java.time.Duration;

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
 * <p>Safe for use by many threads. Two items are equal only if they come from the same {@code get}.
 *
 * <p>Corresponds to the pair of client-go's {@code Get} and {@code Done}. Unlike there, finishing
 * twice is harmless: it does not release the item that another worker has taken since.
 *
 * @param <T> the type of items
 */
public final class WorkItem<T> implements AutoCloseable {

  /** The queue from which an item was taken. */
  interface Owner<T> {

    /** Ends the processing of an item; does nothing if it has ended already. */
    void done(WorkItem<T> item);
  }

  private final Owner<T> queue;
  private final T value;
  private final int priority;

  /** When the worker took it, by the clock of the queue. Only kept for metrics. */
  long startedAt;

  /** How long it was in the queue, in nanoseconds. Only kept for metrics. */
  long queuedNanos;

  WorkItem(Owner<T> queue, T value, int priority) {
    this.queue = queue;
    this.value = value;
    this.priority = priority;
  }

  /** Returns what was added to the queue. */
  public T value() {
    return value;
  }

  /**
   * Returns the priority that the item had when it was taken: 0 unless the queue has priorities.
   */
  public int priority() {
    return priority;
  }

  /**
   * Returns how long the item was in the queue, ready for a worker; a delay before does not count.
   * Zero if the queue has no metrics.
   */
  public Duration queued() {
    return Duration.ofNanos(queuedNanos);
  }

  /**
   * Ends the processing. If the item was added again in the meantime, it is queued now. Calls after
   * the first do nothing.
   */
  public void done() {
    queue.done(this);
  }

  /** Ends the processing, as {@link #done} does. */
  @Override
  public void close() {
    done();
  }

  @Override
  public String toString() {
    return "WorkItem[" + value + "]";
  }
}
