package dev.clientgo.cache;

import java.util.List;
import java.util.Map;

/**
 * Reads objects by key and through indices: the reading half of an {@link Indexer}. An indexer
 * shows the newest state at each call; an {@link IndexSnapshot} always shows the same.
 *
 * <p>Lists are unmodifiable and in no particular order. They never change, whatever the store does
 * meanwhile. They share the objects with the store, which is safe because API objects are
 * immutable.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
public interface IndexReader<T> extends KnownObjects<T> {

  /**
   * Returns the state at this moment. It never changes, and it costs nothing to take one or to drop
   * it: the store shares its objects and its indices with its snapshots.
   */
  IndexSnapshot<T> snapshot();

  /** Returns all objects. The list copies nothing. */
  List<T> list();

  /**
   * Returns the objects that share at least one value of the index with the given object.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<T> index(String indexName, T object);

  /**
   * Returns the sorted keys of the objects that the index files under the value.
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
   * Returns the objects that the index files under the value.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  List<T> byIndex(String indexName, String indexedValue);

  /** Returns the functions of the indices, by the name of the index. */
  Map<String, IndexFunction<? super T>> indexers();
}
