package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.cache.internal.trie.HashTrie;
import dev.clientgo.cache.internal.trie.StoreIndex;
import dev.clientgo.cache.internal.trie.TrieBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@link Indexer} at one moment: objects, indices and resourceVersion agree. Ten
 * reads of one snapshot see one state, whatever the informer does meanwhile.
 *
 * <pre>{@code
 * IndexSnapshot<Pod> pods = informer.indexer().snapshot();
 * int all = pods.size();
 * List<Pod> shop = pods.byIndex(Indexer.NAMESPACE_INDEX, "shop");
 * Lister<Pod> byLabels = Lister.of(pods, Pod.TYPE); // Reads this snapshot.
 * }</pre>
 *
 * <p>To take a snapshot is one read of a field. It copies nothing and needs not be closed. As long
 * as a program holds a snapshot, it keeps the objects that the store has replaced since from being
 * collected, so a program that holds one for hours needs memory for them. No method takes a lock.
 *
 * <p>Immutable, safe for use by many threads. client-go has nothing like it.
 *
 * @param <T> the type of the objects
 */
public final class IndexSnapshot<T> implements IndexReader<T> {

  private final HashTrie<T> items;
  private final StoreIndex<T> indices;
  private final Map<String, IndexFunction<? super T>> indexers;
  private final String resourceVersion;

  private IndexSnapshot(
      HashTrie<T> items,
      StoreIndex<T> indices,
      Map<String, IndexFunction<? super T>> indexers,
      String resourceVersion) {
    this.items = items;
    this.indices = indices;
    this.indexers = indexers;
    this.resourceVersion = resourceVersion;
  }

  /** Returns the content of a new store. */
  static <T> IndexSnapshot<T> empty(Map<String, ? extends IndexFunction<? super T>> indexers) {
    return new IndexSnapshot<T>(HashTrie.empty(), StoreIndex.empty(), Map.of(), "")
        .withIndexers(indexers);
  }

  // ---- reading

  /** Returns this snapshot. */
  @Override
  public IndexSnapshot<T> snapshot() {
    return this;
  }

  /**
   * Returns the version of the collection that this shows; empty before the first change. See
   * {@link Store#lastStoreSyncResourceVersion}.
   */
  public String resourceVersion() {
    return resourceVersion;
  }

  /** Returns the number of objects. */
  public int size() {
    return items.size();
  }

  /**
   * Returns the keys of the objects that were added, replaced or removed since an earlier snapshot
   * of the same store. It costs as much as the changes, not as the objects that stayed.
   */
  public Set<String> changedKeys(IndexSnapshot<T> before) {
    return items.changedKeys(before.items);
  }

  @Override
  public Optional<T> getByKey(String key) {
    return Optional.ofNullable(get(requireNonNull(key, "key")));
  }

  @Nullable T get(String key) {
    return items.get(key);
  }

  @Override
  public List<T> list() {
    return items.values();
  }

  @Override
  public List<String> listKeys() {
    return items.keys();
  }

  @Override
  public List<T> index(String indexName, T object) {
    List<String> values = indices.values(indexName, object);
    if (values.size() == 1) {
      return byIndex(indexName, values.get(0));
    }
    Map<String, T> objects = new TreeMap<>();
    for (String value : values) {
      indices.objects(indexName, value).forEach(objects::put);
    }
    return List.copyOf(objects.values());
  }

  @Override
  public List<String> indexKeys(String indexName, String indexedValue) {
    requireNonNull(indexedValue, "indexedValue");
    return indices.objects(indexName, indexedValue).keys().stream().sorted().toList();
  }

  @Override
  public List<String> listIndexFuncValues(String indexName) {
    return indices.values(indexName);
  }

  @Override
  public List<T> byIndex(String indexName, String indexedValue) {
    requireNonNull(indexedValue, "indexedValue");
    return indices.objects(indexName, indexedValue).values();
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    return indexers;
  }

  // ---- changes, which make another snapshot

  /**
   * Returns a snapshot that also has this object, and replaces the one with the same key, if any;
   * for instance an object that this program has just written. An index whose function fails on the
   * object does not find it. The store does not change, and the version stays the same.
   */
  public IndexSnapshot<T> with(String key, T object) {
    return put(requireNonNull(key, "key"), requireNonNull(object, "object"));
  }

  /** Returns a snapshot without the object with that key. The store does not change. */
  public IndexSnapshot<T> without(String key) {
    return put(requireNonNull(key, "key"), null);
  }

  private IndexSnapshot<T> put(String key, @Nullable T object) {
    return new IndexSnapshot<>(
        items(key, object),
        indices.with(key, get(key), object, failure -> {}),
        indexers,
        resourceVersion);
  }

  private HashTrie<T> items(String key, @Nullable T object) {
    return object == null ? items.without(key) : items.with(key, object);
  }

  /**
   * Returns the content after a change.
   *
   * @param old what has the key now, null if nothing does
   * @param newResourceVersion null if it stays the same
   * @throws IllegalStateException if an index function fails
   */
  IndexSnapshot<T> changed(
      String key, @Nullable T old, @Nullable T object, @Nullable String newResourceVersion) {
    StoreIndex<T> newIndices =
        indices.with(
            key,
            old,
            object,
            failure -> {
              throw failure;
            });
    return new IndexSnapshot<>(
        items(key, object),
        newIndices,
        indexers,
        newResourceVersion == null ? resourceVersion : newResourceVersion);
  }

  /** Returns the same content at another version of the collection. The store does not change. */
  public IndexSnapshot<T> at(String newResourceVersion) {
    return new IndexSnapshot<>(items, indices, indexers, newResourceVersion);
  }

  /**
   * Returns another content with the same indices.
   *
   * @throws IllegalStateException if an index function fails
   */
  IndexSnapshot<T> replaced(Map<String, T> objects, String newResourceVersion) {
    HashTrie<T> newItems = TrieBuilder.copyOf(objects);
    return new IndexSnapshot<>(newItems, indices.filing(newItems), indexers, newResourceVersion);
  }

  /**
   * Returns the same content with more indices.
   *
   * @throws IllegalArgumentException if a name is taken
   * @throws IllegalStateException if an index function fails
   */
  IndexSnapshot<T> withIndexers(Map<String, ? extends IndexFunction<? super T>> more) {
    Set<String> taken = new TreeSet<>(indexers.keySet());
    taken.retainAll(more.keySet());
    if (!taken.isEmpty()) {
      throw new IllegalArgumentException("indexer conflict: there already are " + taken);
    }
    StoreIndex<T> newIndices = indices;
    for (Map.Entry<String, ? extends IndexFunction<? super T>> index : more.entrySet()) {
      newIndices = newIndices.and(index.getKey(), index.getValue()::indexValues, items);
    }
    Map<String, IndexFunction<? super T>> all = new LinkedHashMap<>(indexers);
    all.putAll(more);
    return new IndexSnapshot<>(
        items, newIndices, Collections.unmodifiableMap(all), resourceVersion);
  }

  /** Returns the size and the version; the objects may be many, or secret. */
  @Override
  public String toString() {
    return "IndexSnapshot[size=" + size() + ", resourceVersion=" + resourceVersion + "]";
  }
}
