package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.cache.ThreadSafeStore.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stock {@link Indexer}: makes the keys of objects with a {@link KeyFunction}, and keeps the
 * objects in a {@link ThreadSafeStore}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.cache}.
 */
final class IndexedStore<T> implements Indexer<T> {

  private final KeyFunction<? super T> keyFunction;
  private final ThreadSafeStore<T> storage;

  IndexedStore(KeyFunction<? super T> keyFunction, ThreadSafeStore<T> storage) {
    this.keyFunction = requireNonNull(keyFunction, "keyFunction");
    this.storage = storage;
  }

  private String keyOf(T object) {
    return keyFunction.requireKeyOf(object);
  }

  private Change<T> put(T object) {
    return Change.put(keyOf(object), object);
  }

  private Change<T> deletion(T object) {
    return Change.delete(keyOf(object), object);
  }

  @Override
  public void add(T object) {
    storage.apply(put(object));
  }

  @Override
  public void update(T object) {
    add(object);
  }

  @Override
  public void delete(T object) {
    storage.apply(deletion(object));
  }

  @Override
  public void deleteByKey(String key) {
    storage.apply(Change.deleteByKey(requireNonNull(key, "key")));
  }

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    Map<String, T> items = new HashMap<>((int) (objects.size() / 0.75) + 1);
    for (T object : objects) {
      items.put(keyOf(object), object);
    }
    storage.replace(items, resourceVersion);
  }

  @Override
  public void transaction(List<Transaction<T>> transactions) {
    storage.transaction(transactions, this::put, this::deletion);
  }

  @Override
  public void bookmark(String resourceVersion) {
    storage.bookmark(requireNonNull(resourceVersion, "resourceVersion"));
  }

  @Override
  public void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers) {
    storage.addIndexers(indexers);
  }

  @Override
  public IndexSnapshot<T> snapshot() {
    return storage.snapshot();
  }

  @Override
  public String lastStoreSyncResourceVersion() {
    return snapshot().resourceVersion();
  }

  @Override
  public Optional<T> get(T object) {
    return getByKey(keyOf(object));
  }

  @Override
  public Optional<T> getByKey(String key) {
    return snapshot().getByKey(key);
  }

  @Override
  public List<T> list() {
    return snapshot().list();
  }

  @Override
  public List<String> listKeys() {
    return snapshot().listKeys();
  }

  @Override
  public List<T> index(String indexName, T object) {
    return snapshot().index(indexName, object);
  }

  @Override
  public List<String> indexKeys(String indexName, String indexedValue) {
    return snapshot().indexKeys(indexName, indexedValue);
  }

  @Override
  public List<String> listIndexFuncValues(String indexName) {
    return snapshot().listIndexFuncValues(indexName);
  }

  @Override
  public List<T> byIndex(String indexName, String indexedValue) {
    return snapshot().byIndex(indexName, indexedValue);
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    return snapshot().indexers();
  }
}
