package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A queue of items that need processing.
 *
 * <p>It differs from a {@link java.util.concurrent.BlockingQueue} in what an item is: not a message
 * but a thing, a key mostly, that is either in need of processing or not. So
 *
 * <ul>
 *   <li>adding an item that waits to be processed changes nothing;
 *   <li>an item is never in the hands of two workers at once;
 *   <li>an item that is added while a worker processes it is queued again when the worker is done.
 * </ul>
 *
 * <p>After {@link #shutDown} the queue takes in nothing more, and still hands out what it holds.
 * Adding never blocks and the queue has no bound: it cannot hold more than the distinct items there
 * are.
 *
 * <p>Items must not be null and must have an {@code equals} and a {@code hashCode} that stay as
 * they are. Both are called under the lock of the queue.
 *
 * <p>Safe for use by many threads. The queue has no thread of its own.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.TypedInterface}. Unlike there, an item comes
 * as a {@link WorkItem}, which is how it is given back, and an empty {@link Optional} says that the
 * queue is shut down.
 *
 * @param <T> the type of items
 */
public sealed interface WorkQueue<T> extends AutoCloseable permits DelayingQueue, QueueCore {

  /** Returns a queue without a name: first in, first out, without metrics. */
  static <T> WorkQueue<T> create() {
    return create(QueueConfig.defaults());
  }

  /** Returns a queue: first in, first out. */
  static <T> WorkQueue<T> create(QueueConfig config) {
    return QueueCore.open(new DirtyQueue<>(config, new LifeList<>()));
  }

  /** Returns a queue that hands out items in an order of the caller's own. */
  static <T> WorkQueue<T> create(QueueConfig config, QueueOrder<T> order) {
    return QueueCore.open(new DirtyQueue<>(config, new CustomOrder<>(order)));
  }

  /**
   * Marks an item as in need of processing. Does nothing if it is marked already, or if the queue
   * is shutting down.
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
   * Waits for an item, but no longer than {@code timeout}, and takes it. A timeout of zero or less
   * takes what is there.
   *
   * @return the item, or nothing if the queue is shutting down and holds no more
   * @throws TimeoutException if the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  Optional<WorkItem<T>> get(Duration timeout) throws InterruptedException, TimeoutException;

  /**
   * Waits for an item, has it processed, and marks it done whatever happens. This is a whole
   * worker:
   *
   * <pre>{@code
   * while (queue.processNext(this::reconcile)) {}
   * }</pre>
   *
   * @return false if the queue is shutting down and holds no more: then the worker should end
   * @throws X what the handler throws; the item is done then, and nobody tries it again unless the
   *     handler or the caller adds it
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
   * Returns how many items could be handed out now. An item that was added while it is processed is
   * not counted until it is done. For information: by the time the caller looks, it may be
   * different.
   */
  int size();

  /**
   * Stops taking in items, from now on and for good. Workers get what the queue holds, and then are
   * told to end. Ends the wait of {@link #shutDownWithDrain()}. Does not wait, and may be called
   * more than once.
   */
  void shutDown();

  /**
   * Stops taking in items and waits until all that were in the queue have been processed, those
   * that were added again while being processed too. Workers must go on taking items and marking
   * them done, or this waits until the thread is interrupted or {@link #shutDown} is called.
   *
   * <p>Unlike client-go, which stops waiting as soon as no item is being processed, even if some
   * are still queued: what is torn down next is then still in use.
   *
   * <p>This wait has no bound. {@link #shutDownWithDrain(Duration)} has one.
   *
   * @throws InterruptedException if the thread is interrupted; the queue is shut down nevertheless
   */
  void shutDownWithDrain() throws InterruptedException;

  /**
   * Stops taking in items and waits until all that were in the queue have been processed, but no
   * longer than {@code timeout}. Use this one to end a program: a handler that waits for a server
   * that never answers would make {@link #shutDownWithDrain()} wait as long.
   *
   * <p>If the time is up, the queue stays as it is: workers go on with the items that are left.
   * Close the {@link Workers} next; that interrupts their handlers.
   *
   * @param timeout the longest wait; with zero or less this does not wait
   * @return the items that are left; none if all have been processed. A {@link #shutDown} by
   *     another thread ends the wait early, and this returns what is left then.
   * @throws InterruptedException if the thread is interrupted; the queue is shut down nevertheless
   */
  Unfinished<T> shutDownWithDrain(Duration timeout) throws InterruptedException;

  /** Returns whether the queue has stopped taking in items. */
  boolean shuttingDown();

  /** Shuts the queue down, as {@link #shutDown} does, and takes back the gauges of its metrics. */
  @Override
  void close();
}
