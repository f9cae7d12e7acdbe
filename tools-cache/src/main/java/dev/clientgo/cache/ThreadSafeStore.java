package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
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
 * The map and the locks beneath every {@link Indexer}. Other than an Indexer it does not know how
 * to make a key from an object.
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
   *   writers  lets one writer in at a time. Index functions, which are user code, run under this
   *            lock, and so does the building of new maps for replace.
   *   lock     is what readers take. A writer takes it to put in place what it has prepared: a few
   *            map operations for each object, one assignment for a whole new content.
   *
   * So readers never wait for an index function, and an index function that throws has nothing to
   * undo: what it would have led to is not yet in place.
   */
  private final ReentrantLock writers = new ReentrantLock();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  @GuardedBy("lock")
  private Map<String, T> items = new HashMap<>();

  @GuardedBy("lock")
  private StoreIndex<T> indices;

  /** Which version of the collection the items show, empty if not known. */
  @GuardedBy("lock")
  private String resourceVersion = "";

  ThreadSafeStore(Map<String, ? extends IndexFunction<? super T>> indexers) {
    indices = StoreIndex.of(indexers);
  }

  /**
   * What is to be stored under a key.
   *
   * @param object the object, null if there is none any more
   * @param resourceVersion which version the store then shows, null if that is not known
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

  /** A change whose index functions have been called. */
  private record PlannedChange<T>(Change<T> change, List<StoreIndex.Move> moves) {}

  /**
   * Makes one change.
   *
   * @throws IllegalStateException if an index function fails
   */
  void apply(Change<T> change) {
    writers.lock();
    try {
      applyAll(List.of(plan(change, get(change.key))));
    } finally {
      writers.unlock();
    }
  }

  /**
   * Makes several changes at once. Those that cannot be made are left out.
   *
   * @param changes the changes, in the order in which they are to be made
   * @param put makes the change that stores an object
   * @param delete makes the change that removes an object
   * @throws TransactionException if some were left out
   */
  <X> void transaction(
      List<Transaction<X>> changes,
      Function<? super X, Change<T>> put,
      Function<? super X, Change<T>> delete) {
    List<Integer> successful = new ArrayList<>(changes.size());
    SortedMap<Integer, RuntimeException> failures = new TreeMap<>();
    writers.lock();
    try {
      // What this transaction will have put in place when it comes to a later change of a key.
      Map<String, @Nullable T> pending = new HashMap<>();
      List<PlannedChange<T>> planned = new ArrayList<>(changes.size());
      for (int i = 0; i < changes.size(); i++) {
        try {
          Change<T> change = keyed(changes.get(i), put, delete);
          String key = change.key;
          T old = pending.containsKey(key) ? pending.get(key) : get(key);
          planned.add(plan(change, old));
          pending.put(key, change.object);
          successful.add(i);
        } catch (KeyException | IllegalStateException e) {
          failures.put(i, e);
        }
      }
      applyAll(planned);
    } finally {
      writers.unlock();
    }
    if (!failures.isEmpty()) {
      throw new TransactionException(changes.size(), successful, failures);
    }
  }

  private static <X, T> Change<T> keyed(
      Transaction<X> change,
      Function<? super X, Change<T>> put,
      Function<? super X, Change<T>> delete) {
    if (change instanceof Transaction.Put<X> object) {
      return put.apply(object.object());
    } else if (change instanceof Transaction.Delete<X> object) {
      return delete.apply(object.object());
    }
    return Change.deleteByKey(((Transaction.DeleteByKey<X>) change).key());
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

  private PlannedChange<T> plan(Change<T> change, @Nullable T old) {
    return new PlannedChange<>(change, indices().plan(change.key, old, change.object));
  }

  private void applyAll(List<PlannedChange<T>> planned) {
    lock.writeLock().lock();
    try {
      for (PlannedChange<T> plan : planned) {
        Change<T> change = plan.change;
        if (change.object == null) {
          items.remove(change.key);
        } else {
          items.put(change.key, change.object);
        }
        for (StoreIndex.Move move : plan.moves) {
          move.apply();
        }
        if (change.resourceVersion != null) {
          resourceVersion = change.resourceVersion;
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Puts a new content in place of the old one.
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

  /** Takes note that the content shows that version. */
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

  /** Under the lock of the readers, which do not mind: what it keeps out are writers. */
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
    List<String> keys = new ArrayList<>();
    lock.readLock().lock();
    try {
      indices.index(indexName).forEachKey(value, keys::add);
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
      Index index = indices.index(indexName);
      if (values.size() == 1) {
        String value = values.get(0);
        List<T> objects = new ArrayList<>(index.keyCount(value));
        index.forEachKey(value, key -> addIfStored(items.get(key), objects));
        return Collections.unmodifiableList(objects);
      }
      Set<String> keys = new HashSet<>();
      values.forEach(value -> index.forEachKey(value, keys::add));
      List<T> objects = new ArrayList<>(keys.size());
      keys.forEach(key -> addIfStored(items.get(key), objects));
      return Collections.unmodifiableList(objects);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** A key without an object is what an index function that is not pure leaves behind. */
  private static <T> void addIfStored(@Nullable T object, List<T> objects) {
    if (object != null) {
      objects.add(object);
    }
  }
}
