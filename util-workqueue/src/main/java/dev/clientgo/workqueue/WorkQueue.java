package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A queue of items that need processing.
 *
 * <p>An item is not a message, as in a {@link java.util.concurrent.BlockingQueue}, but the key of a
 * thing that either needs processing or does not. So
 *
 * <ul>
 *   <li>adding an item that is queued already changes nothing;
 *   <li>no two workers ever have the same item;
 *   <li>an item that is added while a worker has it is queued again when the worker is done.
 * </ul>
 *
 * <p>After {@link #shutDown} the queue accepts no more items but still hands out those that it
 * holds. Adding never blocks. The queue has no bound: it holds at most as many items as there are
 * different ones.
 *
 * <p>Items must not be null, and their {@code equals} and {@code hashCode} must not change. The
 * queue calls both under its lock.
 *
 * <p>Safe for use by many threads. The queue starts no threads.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedInterface}. Unlike there, an item comes
 * as a {@link WorkItem}, which is how it is given back, and an empty {@link Optional} means that
 * the queue is shut down.
 *
 * @param <T> the type of items
 */
public sealed interface WorkQueue<T> extends AutoCloseable
    permits DelayingQueue, AbstractWorkQueue {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> WorkQueue<T> create() {
    return create(QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> WorkQueue<T> create(QueueConfig config) {
    return create(config, new PlainWorkQueue.Fifo<>());
  }

  /** Returns a queue with the caller's own order. */
  static <T> WorkQueue<T> create(QueueConfig config, QueueOrder<T> order) {
    return AbstractWorkQueue.open(new PlainWorkQueue<>(config, order));
  }

  /**
   * Adds an item that needs processing. Does nothing if the item is queued already or the queue is
   * shutting down.
   */
  void add(T item);

  /**
   * Waits for an item and takes it. The caller must call {@link WorkItem#done} when it has
   * processed the item, and had better let {@link #processNext} do so.
   *
   * @return the item, or nothing if the queue is shutting down and holds no more: then the worker
   *     should end
   * @throws InterruptedException if the thread is interrupted
   */
  Optional<WorkItem<T>> get() throws InterruptedException;

  /**
   * Waits for an item, but no longer than {@code timeout}, and takes it. With a timeout of zero or
   * less it does not wait.
   *
   * @return the item, or nothing if the queue is shutting down and holds no more
   * @throws TimeoutException if the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  Optional<WorkItem<T>> get(Duration timeout) throws InterruptedException, TimeoutException;

  /**
   * Waits for an item, calls the handler, and marks the item done even if the handler throws. This
   * is a complete worker:
   *
   * <pre>{@code
   * while (queue.processNext(this::reconcile)) {}
   * }</pre>
   *
   * @return false if the queue is shutting down and holds no more: then the worker should end
   * @throws X the exception of the handler; the item is done then, and is not tried again unless
   *     the handler or the caller adds it
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  default <X extends Exception> boolean processNext(ItemHandler<? super T, X> handler)
      throws InterruptedException, X {
    Optional<WorkItem<T>> next = get();
    if (next.isEmpty()) {
      return false;
    }
    try (WorkItem<T> work = next.get()) {
      handler.handle(work.value());
    }
    return true;
  }

  /**
   * Returns how many items workers could take now. An item that was added while a worker has it
   * counts only when that worker is done. The number may be out of date when the caller reads it.
   */
  int size();

  /**
   * Stops accepting items, for good. Workers get the items that the queue holds, and then {@link
   * #get} returns nothing. Ends the wait of {@link #shutDownWithDrain()}. Does not wait, and may be
   * called more than once.
   */
  void shutDown();

  /**
   * Stops accepting items and waits until all items in the queue have been processed, including
   * those that were added again while a worker had them. Workers must continue to take items and
   * mark them done; otherwise this waits until the thread is interrupted or {@link #shutDown} is
   * called.
   *
   * <p>Unlike client-go, which stops waiting as soon as no item is being processed, even if some
   * are still queued: workers would then still use parts that the caller closes next.
   *
   * <p>This wait has no bound. {@link #shutDownWithDrain(Duration)} has one.
   *
   * @throws InterruptedException if the thread is interrupted; the queue is shut down nevertheless
   */
  void shutDownWithDrain() throws InterruptedException;

  /**
   * Stops accepting items and waits until all items in the queue have been processed, but no longer
   * than {@code timeout}. Use this one to end a program: a handler that waits for a server that
   * never answers would make {@link #shutDownWithDrain()} wait as long.
   *
   * <p>If the time is up, the queue stays as it is: workers continue with the remaining items.
   * Close the {@link Workers} next; that interrupts their handlers.
   *
   * @param timeout the longest wait; with zero or less this does not wait
   * @return the items that are left; none if all have been processed. A {@link #shutDown} by
   *     another thread ends the wait early, and this returns the items that remain then.
   * @throws InterruptedException if the thread is interrupted; the queue is shut down nevertheless
   */
  Unfinished<T> shutDownWithDrain(Duration timeout) throws InterruptedException;

  /** Returns whether the queue has stopped accepting items. */
  boolean shuttingDown();

  /** Shuts the queue down, as {@link #shutDown} does, and removes the gauges of its metrics. */
  @Override
  void close();

  /**
   * The items that a queue still held when the wait for its end was over.
   *
   * <p>Immutable; the lists are in no particular order. {@link #toString} fits in a log line: it
   * counts the items and names the first ten of each list.
   *
   * @param processing the items in the hands of workers
   * @param queued the items that wait for a worker; an item that was added again while it is
   *     processed is in both lists
   * @param <T> the type of items
   */
  record Unfinished<T>(List<T> processing, List<T> queued) {

    private static final int NAMED = 10;

    /** Copies the lists. */
    public Unfinished {
      processing = List.copyOf(processing);
      queued = List.copyOf(queued);
    }

    /** Returns whether all work is done. */
    public boolean isEmpty() {
      return processing.isEmpty() && queued.isEmpty();
    }

    @Override
    public String toString() {
      return isEmpty()
          ? "nothing"
          : describe(processing) + " in process, " + describe(queued) + " queued";
    }

    private static String describe(List<?> items) {
      if (items.isEmpty()) {
        return "none";
      }
      String names =
          items.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
      String more = items.size() > NAMED ? ", and " + (items.size() - NAMED) + " more" : "";
      return items.size() + " (" + names + more + ")";
    }
  }
}
