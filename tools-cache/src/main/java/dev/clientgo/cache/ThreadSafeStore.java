package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stock {@link Indexer}: its content and the lock of its writers. Makes the keys of objects
 * with a {@link KeyFunction}; the {@link Controller} has the keys already and passes {@linkplain
 * Change changes}.
 *
 * <p>Safe for use by many threads. Each method is atomic; one that throws has changed nothing.
 *
 * <p>Corresponds to client-go's {@code tools/cache.cache} and {@code tools/cache.ThreadSafeStore}.
 *
 * @param <T> the type of the objects
 */
final class ThreadSafeStore<T> implements Indexer<T> {

  /*
   * The content is immutable. A writer makes the next content from the present one, and puts it in
   * place with one write of a field. Readers take what is in the field; they never wait, neither
   * for writers nor for index functions, and no writer waits for them. If an index function throws,
   * there is nothing to undo.
   */

  private final KeyFunction<? super T> keyFunction;

  /** Admits one writer at a time, which calls the index functions, user code, in it. */
  private final ReentrantLock writers = new ReentrantLock();

  /** Written with the lock held, read without. */
  private volatile IndexSnapshot<T> snapshot;

  ThreadSafeStore(
      KeyFunction<? super T> keyFunction,
      Map<String, ? extends IndexFunction<? super T>> indexers) {
    this.keyFunction = requireNonNull(keyFunction, "keyFunction");
    snapshot = IndexSnapshot.empty(indexers);
  }

  private String keyOf(T object) {
    return keyFunction.requireKeyOf(object);
  }

  // ---- writers

  /**
   * A change of one key.
   *
   * @param object the object to store, null to remove the key
   * @param resourceVersion the version of the collection that the store shows after the change,
   *     null if it is not known
   */
  record Change<T>(String key, @Nullable T object, @Nullable String resourceVersion) {

    static <T> Change<T> put(String key, T object) {
      return new Change<>(key, object, resourceVersionOf(object));
    }

    static <T> Change<T> delete(String key, T lastState) {
      return new Change<>(key, null, resourceVersionOf(lastState));
    }

    static <T> Change<T> deleteByKey(String key) {
      return new Change<>(key, null, null);
    }

    Change<T> withoutVersion() {
      return new Change<>(key, object, null);
    }

    static @Nullable String resourceVersionOf(Object object) {
      return object instanceof KubernetesObject api ? api.metadata().resourceVersion() : null;
    }
  }

  /** Receives the objects that changes replace. */
  @FunctionalInterface
  interface ReplacedObjects<T> {

    /**
     * Receives the object that a change replaces.
     *
     * @param position the position of the change in the list of changes
     * @param old the object so far, null if there was none
     */
    void accept(int position, @Nullable T old);
  }

  /**
   * Makes one change.
   *
   * @throws IllegalStateException if an index function fails
   */
  void apply(Change<T> change) {
    writers.lock();
    try {
      snapshot = after(snapshot, change, snapshot.get(change.key));
    } finally {
      writers.unlock();
    }
  }

  private static <T> IndexSnapshot<T> after(
      IndexSnapshot<T> content, Change<T> change, @Nullable T old) {
    return content.changed(change.key, old, change.object, change.resourceVersion);
  }

  /**
   * Makes several changes at once. A change on which an index function fails is left out.
   *
   * @param changes the changes, in the order in which to make them
   * @param replaced receives the object that each successful change replaces, before readers see
   *     any
   * @throws TransactionException if some changes were left out
   */
  void apply(List<Change<T>> changes, ReplacedObjects<T> replaced) {
    SortedMap<Integer, RuntimeException> failures = new TreeMap<>();
    writers.lock();
    try {
      IndexSnapshot<T> next = snapshot;
      for (int i = 0; i < changes.size(); i++) {
        Change<T> change = changes.get(i);
        T old = next.get(change.key);
        try {
          next = after(next, change, old);
        } catch (IllegalStateException e) {
          failures.put(i, e);
          continue;
        }
        replaced.accept(i, old);
      }
      snapshot = next;
    } finally {
      writers.unlock();
    }
    if (!failures.isEmpty()) {
      throw new TransactionException(changes.size(), failures);
    }
  }

  @Override
  public void add(T object) {
    apply(Change.put(keyOf(object), object));
  }

  @Override
  public void update(T object) {
    add(object);
  }

  @Override
  public void delete(T object) {
    apply(Change.delete(keyOf(object), object));
  }

  @Override
  public void deleteByKey(String key) {
    apply(Change.deleteByKey(requireNonNull(key, "key")));
  }

  @Override
  public void transaction(List<Transaction<T>> transactions) {
    SortedMap<Integer, RuntimeException> failures = new TreeMap<>();
    List<Change<T>> changes = new ArrayList<>(transactions.size());
    List<Integer> positions = new ArrayList<>(transactions.size());
    for (int i = 0; i < transactions.size(); i++) {
      try {
        changes.add(change(transactions.get(i)));
        positions.add(i);
      } catch (KeyException e) {
        failures.put(i, e);
      }
    }
    try {
      apply(changes, (position, old) -> {});
    } catch (TransactionException e) {
      e.failures().forEach((i, failure) -> failures.put(positions.get(i), failure));
    }
    if (!failures.isEmpty()) {
      throw new TransactionException(transactions.size(), failures);
    }
  }

  private Change<T> change(Transaction<T> transaction) {
    if (transaction instanceof Transaction.Put<T> put) {
      return Change.put(keyOf(put.value()), put.value());
    } else if (transaction instanceof Transaction.Delete<T> delete) {
      return Change.delete(keyOf(delete.value()), delete.value());
    }
    return Change.deleteByKey(((Transaction.DeleteByKey<T>) transaction).key());
  }

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    Map<String, T> items = new HashMap<>((int) (objects.size() / 0.75) + 1);
    for (T object : objects) {
      items.put(keyOf(object), object);
    }
    replace(items, resourceVersion);
  }

  /**
   * Replaces the whole content.
   *
   * @throws IllegalStateException if an index function fails
   */
  void replace(Map<String, T> objects, String resourceVersion) {
    writers.lock();
    try {
      snapshot = snapshot.replaced(objects, resourceVersion);
    } finally {
      writers.unlock();
    }
  }

  @Override
  public void bookmark(String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    writers.lock();
    try {
      snapshot = snapshot.at(resourceVersion);
    } finally {
      writers.unlock();
    }
  }

  @Override
  public void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers) {
    writers.lock();
    try {
      snapshot = snapshot.withIndexers(indexers);
    } finally {
      writers.unlock();
    }
  }

  // ---- readers

  @Override
  public IndexSnapshot<T> snapshot() {
    return snapshot;
  }

  @Override
  public String lastStoreSyncResourceVersion() {
    return snapshot.resourceVersion();
  }

  @Override
  public Optional<T> get(T object) {
    return getByKey(keyOf(object));
  }

  @Override
  public Optional<T> getByKey(String key) {
    return snapshot.getByKey(key);
  }

  @Override
  public List<T> list() {
    return snapshot.list();
  }

  @Override
  public List<String> listKeys() {
    return snapshot.listKeys();
  }

  @Override
  public List<T> index(String indexName, T object) {
    return snapshot.index(indexName, object);
  }

  @Override
  public List<String> indexKeys(String indexName, String indexedValue) {
    return snapshot.indexKeys(indexName, indexedValue);
  }

  @Override
  public List<String> listIndexFuncValues(String indexName) {
    return snapshot.listIndexFuncValues(indexName);
  }

  @Override
  public List<T> byIndex(String indexName, String indexedValue) {
    return snapshot.byIndex(indexName, indexedValue);
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    return snapshot.indexers();
  }
}
