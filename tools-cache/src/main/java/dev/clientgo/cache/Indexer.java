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
 * }</pre>
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.Indexer}.
 *
 * @param <T> the type of the objects
 */
public interface Indexer<T> extends Store<T> {

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
    return new IndexedStore<>(keyFunction, new ThreadSafeStore<>(indexers));
  }

  /**
   * Returns the stored objects that share at least one value of the index with the given object.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<T> index(String indexName, T object);

  /**
   * Returns the sorted keys of the stored objects that the index files under the value.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<String> indexKeys(String indexName, String indexedValue);

  /**
   * Returns all values under which the index files an object.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<String> listIndexFuncValues(String indexName);

  /**
   * Returns the stored objects that the index files under the value.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<T> byIndex(String indexName, String indexedValue);

  /** Returns the functions of the indices, by the name of the index. */
  Map<String, IndexFunction<? super T>> indexers();

  /**
   * Adds indices and files all stored objects in them.
   *
   * @throws IllegalArgumentException if there already is an index with one of the names; then none
   *     is added
   */
  void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers);
}
