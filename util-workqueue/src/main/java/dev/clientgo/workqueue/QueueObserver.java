package dev.clientgo.workqueue;

import java.time.Duration;

/**
 * Follows each item on its way through a work queue, for a debug page or a trace. By default each
 * method does nothing.
 *
 * <pre>
 *  addAfter ── delayed ──► waiting ── due ──┐
 *  add ─────────────────────────────────────┴─ added ──► dirty ── got ──► processing ── done ──►
 * </pre>
 *
 * <p>The threads that use the queue call these methods. {@link #starting} is called without a lock
 * and may block: then that worker pauses. {@link #forgotten} is called without a lock, too. The
 * other methods are called with the lock of the queue held, in the order in which things happen, so
 * they must be quick and must not call the queue. An exception that a method throws is logged, and
 * the queue continues.
 *
 * <p>A queue without an observer checks a field for null at each step, and that is all. For figures
 * alone, use a {@link dev.clientgo.workqueue.metrics.MetricsProvider}. client-go has nothing like
 * it.
 */
public interface QueueObserver {

  /**
   * An item needs processing from now on: it is in the dirty set. It is also in the queue, unless a
   * worker has it.
   */
  default void added(Object item) {}

  /** An item was added that is in the dirty set already, so nothing has changed. */
  default void alreadyAdded(Object item) {}

  /** An item was added with a delay. If it waits already, the earlier time counts. */
  default void delayed(Object item, Duration delay) {}

  /** An item has waited long enough; {@link #added} or {@link #alreadyAdded} follows. */
  default void due(Object item) {}

  /** A worker takes an item: it moves from the dirty set to the processing set. */
  default void got(Object item) {}

  /**
   * Called before a worker receives the item that it has taken. May block.
   *
   * @throws InterruptedException if the thread is interrupted while this blocks
   */
  default void starting(Object item) throws InterruptedException {}

  /** A worker has finished an item. If it is in the dirty set again, it is in the queue now. */
  default void done(Object item) {}

  /** The rate limiter forgets the failures of an item. */
  default void forgotten(Object item) {}

  /**
   * The queue stops accepting items, and drops those that wait for their time.
   *
   * @param drops whether it also drops those that need processing
   */
  default void shutDown(boolean drops) {}
}
