package dev.clientgo.cache;

import dev.clientgo.cache.synctrack.DoneChecker;
import java.util.List;

/**
 * Holds deltas between a Reflector, which puts in the changes that the server reports, and one
 * consumer, which updates the store and notifies handlers. The watch continues while the consumer
 * works.
 *
 * <p>There may be many producers and one consumer. {@link RealFIFO} passes on every delta in the
 * order of arrival; {@link DeltaFIFO} collects the deltas of each object.
 *
 * <p>Corresponds to client-go's {@code tools/cache.Queue} and {@code QueueWithBatch}.
 *
 * @param <T> the type of the objects
 */
public interface Queue<T> extends ReflectorStore<T>, AutoCloseable {

  /**
   * Waits until the queue has deltas, takes some out, and processes them. The processor gets deltas
   * of one object, or a single delta of the whole collection.
   *
   * <p>A closed queue still gives out the deltas that it has. If the processor throws, this method
   * throws the same; the deltas have still left the queue.
   *
   * @return false if the queue is closed and empty, so that nothing was processed
   * @throws InterruptedException if the thread is interrupted while it waits, or the processor
   *     throws it
   */
  boolean pop(DeltaProcessor<T> processor) throws InterruptedException;

  /**
   * Does the same as {@link #pop}, but may take out the deltas of several objects at once.
   *
   * @param batch processes two or more deltas, each of another object
   * @param single processes the deltas that {@link #pop} would take
   * @return false if the queue is closed and empty, so that nothing was processed
   * @throws InterruptedException if the thread is interrupted while it waits, or a processor throws
   *     it
   */
  default boolean popBatch(DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    return pop(single);
  }

  /**
   * Returns whether the whole first list has been processed, or a change came before any list. Once
   * true it stays true.
   */
  boolean hasSynced();

  /** Returns a checker that waits for {@link #hasSynced}. */
  DoneChecker hasSyncedChecker();

  /** Wakes the consumer, and ends it once the queue is empty. A second call has no effect. */
  @Override
  void close();

  /** Returns whether the queue is closed. */
  boolean isClosed();

  /**
   * The consumer of a {@link Queue}: processes the deltas that are taken from it.
   *
   * <p>Corresponds to client-go's {@code tools/cache.PopProcessFunc} and {@code ProcessBatchFunc}.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  interface DeltaProcessor<T> {

    /**
     * Processes deltas, the oldest first. They are out of the queue even if this fails.
     *
     * @param deltas the deltas, never empty
     * @param isInInitialList whether they belong to the first list of the collection
     * @throws InterruptedException if the thread is interrupted
     * @throws RuntimeException if processing fails; the call that took the deltas throws the same
     */
    void process(List<Delta<T>> deltas, boolean isInInitialList) throws InterruptedException;
  }
}
