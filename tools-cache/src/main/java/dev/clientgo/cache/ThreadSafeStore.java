package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.StoreIndex.IndexUpdate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The map, the indices and the locks of a store. The caller passes the keys; {@link IndexedStore}
 * makes them from objects.
 *
 * <p>Safe for use by many threads. Each method is atomic; one that throws has changed nothing.
 *
 * <p>Corresponds to client-go's {@code tools/cache.ThreadSafeStore}.
 *
 * @param <T> the type of the objects
 */
final class ThreadSafeStore<T> {

  /*
   * Two locks, always taken in this order:
   *
   *   writers  admits one writer at a time. A writer calls the index functions, which are user
   *            code, and builds new maps for replace while it holds only this lock.
   *   lock     protects the maps. Readers take it, and a writer takes it for a moment to apply its
   *            changes: a few map operations for each object, or three assignments for a whole new
   *            content.
   *
   * So readers never wait for an index function, and when an index function throws there is nothing
   * to undo.
   */
  private final ReentrantLock writers = new ReentrantLock();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  @GuardedBy("lock")
  private Map<String, T> items = new HashMap<>();

  @GuardedBy("lock")
  private StoreIndex<T> indices;

  /** The version of the collection that the items show, empty if it is not known. */
  @GuardedBy("lock")
  private String resourceVersion = "";

  ThreadSafeStore(Map<String, ? extends IndexFunction<? super T>> indexers) {
    indices = StoreIndex.of(indexers);
  }

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
      List<IndexUpdate> updates = indices().updates(change.key, get(change.key), change.object);
      put(List.of(change), updates);
    } finally {
      writers.unlock();
    }
  }

  /**
   * Makes several changes at once. A change on which an index function fails is left out.
   *
   * @param changes the changes, in the order in which they are to be made
   * @param replaced receives the object that each successful change replaces, before any is made
   * @throws TransactionException if some changes were left out
   */
  void apply(List<Change<T>> changes, ReplacedObjects<T> replaced) {
    SortedMap<Integer, RuntimeException> failures = new TreeMap<>();
    writers.lock();
    try {
      StoreIndex<T> index = indices();
      // The state of each key when a later change of the same key is made.
      Map<String, @Nullable T> pending = new HashMap<>();
      List<Change<T>> accepted = new ArrayList<>(changes.size());
      List<IndexUpdate> updates = new ArrayList<>();
      for (int i = 0; i < changes.size(); i++) {
        Change<T> change = changes.get(i);
        T old = pending.containsKey(change.key) ? pending.get(change.key) : get(change.key);
        try {
          updates.addAll(index.updates(change.key, old, change.object));
        } catch (IllegalStateException e) {
          failures.put(i, e);
          continue;
        }
        accepted.add(change);
        pending.put(change.key, change.object);
        replaced.accept(i, old);
      }
      put(accepted, updates);
    } finally {
      writers.unlock();
    }
    if (!failures.isEmpty()) {
      throw new TransactionException(changes.size(), failures);
    }
  }

  /**
   * Makes several changes of objects at once. A change is left out if its object has no key or an
   * index function fails on it.
   *
   * @param put makes the change that stores an object
   * @param delete makes the change that removes an object
   * @throws TransactionException if some changes were left out
   */
  <X> void transaction(
      List<Transaction<X>> transactions,
      Function<? super X, Change<T>> put,
      Function<? super X, Change<T>> delete) {
    SortedMap<Integer, RuntimeException> failures = new TreeMap<>();
    List<Change<T>> changes = new ArrayList<>(transactions.size());
    List<Integer> positions = new ArrayList<>(transactions.size());
    for (int i = 0; i < transactions.size(); i++) {
      try {
        changes.add(keyed(transactions.get(i), put, delete));
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

  private static <X, T> Change<T> keyed(
      Transaction<X> transaction,
      Function<? super X, Change<T>> put,
      Function<? super X, Change<T>> delete) {
    if (transaction instanceof Transaction.Put<X> object) {
      return put.apply(object.value());
    } else if (transaction instanceof Transaction.Delete<X> object) {
      return delete.apply(object.value());
    }
    return Change.deleteByKey(((Transaction.DeleteByKey<X>) transaction).key());
  }

  /** Removes the object with that key, if it still is the one given. */
  void deleteIfSame(String key, T object) {
    writers.lock();
    try {
      if (get(key) == object) {
        apply(Change.deleteByKey(key));
      }
    } finally {
      writers.unlock();
    }
  }

  /** Puts changes in place whose index functions have been called. */
  private void put(List<Change<T>> changes, List<IndexUpdate> updates) {
    lock.writeLock().lock();
    try {
      for (Change<T> change : changes) {
        if (change.object == null) {
          items.remove(change.key);
        } else {
          items.put(change.key, change.object);
        }
        if (change.resourceVersion != null) {
          resourceVersion = change.resourceVersion;
        }
      }
      updates.forEach(IndexUpdate::apply);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Replaces the whole content.
   *
   * @param newItems the objects by key; the store keeps the map
   * @throws IllegalStateException if an index function fails
   */
  void replace(Map<String, T> newItems, String newResourceVersion) {
    writers.lock();
    try {
      StoreIndex<T> newIndices = indices().emptied();
      for (Map.Entry<String, T> item : newItems.entrySet()) {
        newIndices.add(item.getKey(), item.getValue());
      }
      lock.writeLock().lock();
      try {
        items = newItems;
        indices = newIndices;
        resourceVersion = newResourceVersion;
      } finally {
        lock.writeLock().unlock();
      }
    } finally {
      writers.unlock();
    }
  }

  /** Records that the content shows that version. */
  void bookmark(String newResourceVersion) {
    lock.writeLock().lock();
    try {
      resourceVersion = newResourceVersion;
    } finally {
      lock.writeLock().unlock();
    }
  }

  String resourceVersion() {
    lock.readLock().lock();
    try {
      return resourceVersion;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Nullable T get(String key) {
    lock.readLock().lock();
    try {
      return items.get(key);
    } finally {
      lock.readLock().unlock();
    }
  }

  List<T> list() {
    lock.readLock().lock();
    try {
      return Collections.unmodifiableList(new ArrayList<>(items.values()));
    } finally {
      lock.readLock().unlock();
    }
  }

  List<String> listKeys() {
    lock.readLock().lock();
    try {
      return Collections.unmodifiableList(new ArrayList<>(items.keySet()));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Adds indices and files all objects in them.
   *
   * @throws IllegalArgumentException if a name is taken
   * @throws IllegalStateException if an index function fails
   */
  void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers) {
    writers.lock();
    try {
      StoreIndex<T> added = StoreIndex.of(indexers);
      StoreIndex<T> all = indices().with(added);
      fileAll(added);
      lock.writeLock().lock();
      try {
        indices = all;
      } finally {
        lock.writeLock().unlock();
      }
    } finally {
      writers.unlock();
    }
  }

  /**
   * Takes only the read lock: readers need not wait, and other writers wait for the writer lock.
   */
  private void fileAll(StoreIndex<T> newIndices) {
    lock.readLock().lock();
    try {
      items.forEach(newIndices::add);
    } finally {
      lock.readLock().unlock();
    }
  }

  Map<String, IndexFunction<? super T>> indexers() {
    return indices().functions();
  }

  private StoreIndex<T> indices() {
    lock.readLock().lock();
    try {
      return indices;
    } finally {
      lock.readLock().unlock();
    }
  }

  List<String> indexValues(String indexName) {
    lock.readLock().lock();
    try {
      return Collections.unmodifiableList(indices.index(indexName).values());
    } finally {
      lock.readLock().unlock();
    }
  }

  List<String> keysByIndex(String indexName, String value) {
    List<String> keys;
    lock.readLock().lock();
    try {
      keys = new ArrayList<>(indices.index(indexName).keys(value));
    } finally {
      lock.readLock().unlock();
    }
    Collections.sort(keys);
    return Collections.unmodifiableList(keys);
  }

  /** Returns the objects that share a value of the index with the given one. */
  List<T> index(String indexName, T object) {
    // The index function is user code: called before the lock is taken.
    return byIndex(indexName, indices().values(indexName, object));
  }

  /** Returns the objects that the index files under at least one of the values. */
  List<T> byIndex(String indexName, List<String> values) {
    lock.readLock().lock();
    try {
      StoreIndex.Index index = indices.index(indexName);
      Set<String> keys;
      if (values.size() == 1) {
        keys = index.keys(values.get(0));
      } else {
        keys = new HashSet<>();
        for (String value : values) {
          keys.addAll(index.keys(value));
        }
      }
      List<T> objects = new ArrayList<>(keys.size());
      for (String key : keys) {
        T object = items.get(key);
        // An index function that is not pure leaves keys without objects in its index.
        if (object != null) {
          objects.add(object);
        }
      }
      return Collections.unmodifiableList(objects);
    } finally {
      lock.readLock().unlock();
    }
  }
}
