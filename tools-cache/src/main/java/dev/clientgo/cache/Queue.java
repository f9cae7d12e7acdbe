package dev.clientgo.cache;

/**
 * What is between a Reflector, which puts in what the server reports, and the one consumer, which
 * updates the store and notifies handlers. It lets the watch go on while the consumer works.
 *
 * <p>Producers may be many threads, the consumer is one. {@link RealFIFO} passes everything on in
 * the order in which it came; {@link DeltaFIFO} collects the deltas of each object.
 *
 * <p>Corresponds to client-go's {@code tools/cache.Queue} and {@code QueueWithBatch}.
 *
 * @param <T> the type of the objects
 */
public interface Queue<T> extends ReflectorStore<T>, AutoCloseable {

  /**
   * Waits until something is in the queue, takes it out, and processes it. The deltas given to the
   * processor are all of one object, or a single delta of the whole collection.
   *
   * <p>What is still in the queue when it is closed can be taken out. What the processor throws is
   * thrown on; what it was given is out of the queue nevertheless.
   *
   * @return false if the queue is closed and empty: nothing was processed and nothing will be
   * @throws InterruptedException if the thread is interrupted, while it waits or by the processor
   */
  boolean pop(DeltaProcessor<T> processor) throws InterruptedException;

  /**
   * Does the same as {@link #pop}, but may take out the deltas of several objects at once.
   *
   * @param batch processes two or more deltas, each of another object
   * @param single processes what {@link #pop} would give
   * @return false if the queue is closed and empty: nothing was processed and nothing will be
   * @throws InterruptedException if the thread is interrupted, while it waits or by a processor
   */
  default boolean popBatch(DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    return pop(single);
  }

  /**
   * Returns whether everything in the first list has been processed, or something other than a list
   * came first. Once true it stays true.
   */
  boolean hasSynced();

  /** Returns what to wait on for {@link #hasSynced}. */
  DoneChecker hasSyncedChecker();

  /** Wakes the consumer and lets it end once the queue is empty. Has no effect the second time. */
  @Override
  void close();

  /** Returns whether the queue is closed. */
  boolean isClosed();
}
