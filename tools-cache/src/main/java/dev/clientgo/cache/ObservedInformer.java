package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * The state of an informer, for its {@link InformerObserver}. Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
public interface ObservedInformer<T extends KubernetesObject> {

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

  /** Returns the cache, for reading. A program that changes it makes it differ from the server. */
  Indexer<T> indexer();
}
