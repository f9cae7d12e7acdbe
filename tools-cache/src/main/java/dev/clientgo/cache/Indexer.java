package dev.clientgo.cache;

import java.util.List;
import java.util.Map;

/**
 * A store with indices. An index finds objects by the values of an index function: all pods on a
 * node, all objects in a namespace.
 *
 * <pre>{@code
 * Indexer<Pod> pods = Indexer.create(KeyFunction.metaNamespace(), Map.of("node", byNode));
 * pods.add(pod);
 * List<Pod> onNode1 = pods.byIndex("node", "node-1");
 * IndexSnapshot<Pod> atOnce = pods.snapshot(); // Several reads of it agree.
 * }</pre>
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.Indexer}.
 *
 * @param <T> the type of the objects
 */
public interface Indexer<T> extends Store<T>, IndexReader<T> {

  /** The name of the index by namespace: {@value}. */
  String NAMESPACE_INDEX = "namespace";

  /** Returns an empty store without indices. Corresponds to client-go's {@code NewStore}. */
  static <T> Indexer<T> create(KeyFunction<? super T> keyFunction) {
    return create(keyFunction, Map.of());
  }

  /**
   * Returns an empty store. Corresponds to client-go's {@code NewIndexer}.
   *
   * @param indexers the functions of the indices, by the name of the index
   */
  static <T> Indexer<T> create(
      KeyFunction<? super T> keyFunction,
      Map<String, ? extends IndexFunction<? super T>> indexers) {
    return new ThreadSafeStore<>(keyFunction, indexers);
  }

  /** Returns all objects. The list copies nothing, and never changes. */
  @Override
  List<T> list();

  /**
   * Adds indices and files all stored objects in them.
   *
   * @throws IllegalArgumentException if there already is an index with one of the names; then none
   *     is added
   */
  void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers);
}
