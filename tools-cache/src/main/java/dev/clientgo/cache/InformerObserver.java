package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.metrics.InformerMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows each object on its way through an informer, for a debug page or a trace. The methods come
 * in the order of the way: Reflector, queue, store, listeners. By default each does nothing.
 *
 * <pre>
 *  server ── listing, watching, received ──► Reflector ── queued ──► DeltaFIFO or RealFIFO
 *         ── popping, popped ──► Controller ── stored ──► Indexer
 *         ── notified ──► ProcessorListener ── delivering, delivered ──► handler
 * </pre>
 *
 * <p>The threads of the informer call these methods. Three of them, {@link #received}, {@link
 * #popping} and {@link #delivering}, are called without a lock and may block: then that stage
 * pauses, and what comes in waits in the stage before. The other methods are called in the order in
 * which things happen, mostly with a lock held, so they must be quick and must not call the
 * informer, except for its {@linkplain Informer#indexer indexer}'s snapshots. An exception that a
 * method throws is logged, and the informer continues.
 *
 * <p>An informer without an observer checks a field for null at each stage, and that is all. For
 * figures alone, use {@link InformerMetrics}.
 *
 * <p>Safe implementations are safe for use by many threads. client-go has nothing like it.
 *
 * @param <T> the type of the objects
 */
public interface InformerObserver<T> {

  /** The informer starts its threads. */
  default void started(Informer<? extends T> informer) {}

  /** The Reflector requests a list, or one page of it. */
  default void listing(ListOptions request) {}

  /** The Reflector opens a watch. */
  default void watching(ListOptions request) {}

  /**
   * The Reflector has read an event from a watch. The event that reports a lost connection is one
   * too. May block.
   *
   * @throws InterruptedException if the thread is interrupted while this blocks
   */
  default void received(WatchEvent<T> event) throws InterruptedException {}

  /** The Reflector reports an error. */
  default void failed(RuntimeException error) {}

  /** A delta is at the end of the queue. A {@link DeltaFIFO} keeps it with its object's others. */
  default void queued(Delta<T> delta) {}

  /**
   * Called before the Controller takes deltas from a queue that is not empty. May block.
   *
   * @throws InterruptedException if the thread is interrupted while this blocks
   */
  default void popping() throws InterruptedException {}

  /**
   * The Controller has taken deltas from the head of the queue: one or a batch of a {@link
   * RealFIFO}, all of one object from a {@link DeltaFIFO}.
   */
  default void popped(List<Delta<T>> deltas) {}

  /**
   * The store changes an object; readers see the change a moment later.
   *
   * @param before the state so far, null if the store did not have the object
   * @param after the new state, null if the store removes the object
   */
  default void stored(String key, @Nullable T before, @Nullable T after) {}

  /**
   * A notification is at the end of the buffer of a handler.
   *
   * @param handler the name of the handler
   * @param before null if the object was added; the same as {@code after} in a resync
   * @param after null if the object was deleted
   */
  default void notified(String handler, @Nullable T before, @Nullable T after) {}

  /**
   * Called before a handler receives the notification at the head of its buffer. May block.
   *
   * @param handler the name of the handler
   * @param before null if the object was added; the same as {@code after} in a resync
   * @param after null if the object was deleted
   * @throws InterruptedException if the thread is interrupted while this blocks
   */
  default void delivering(String handler, @Nullable T before, @Nullable T after)
      throws InterruptedException {}

  /**
   * A handler has returned.
   *
   * @param handler the name of the handler
   * @param error what it threw, null if nothing
   */
  default void delivered(String handler, @Nullable Throwable error) {}

  /**
   * The state of an informer, for its {@link InformerObserver}. Safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  interface Informer<T extends KubernetesObject> {

    /** Returns the name of the informer in logs, threads and metrics. */
    String name();

    /** Returns whether the queue is a {@link DeltaFIFO}. */
    boolean usesDeltaFIFO();

    /** Returns whether the informer has been closed. */
    boolean isStopped();

    /**
     * Returns the version up to which the Reflector has read the collection; empty at first. The
     * cache may lag behind it: see {@link Store#lastStoreSyncResourceVersion} of the {@linkplain
     * #indexer indexer}.
     */
    String lastSyncResourceVersion();

    /** Returns the health of the informer at this moment. */
    InformerHealth health();

    /**
     * Returns the cache, for reading. A program that changes it makes it differ from the server.
     */
    Indexer<T> indexer();
  }
}
