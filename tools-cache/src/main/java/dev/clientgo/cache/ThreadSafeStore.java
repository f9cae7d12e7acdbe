package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The content of a store and the lock of its writers. The caller passes the keys; {@link
 * IndexedStore} makes them from objects.
 *
 * <p>Safe for use by many threads. Each method is atomic; one that throws has changed nothing.
 *
 * <p>Corresponds to client-go's {@code tools/cache.ThreadSafeStore}.
 *
 * @param <T> the type of the objects
 */
final class ThreadSafeStore<T> {

  /*
   * The content is immutable. A writer makes the next content from the present one, and puts it in
   * place with one write of a field. Readers take what is in the field; they never wait, neither
   * for writers nor for index functions, and no writer waits for them. If an index function throws,
   * there is nothing to undo.
   */

  /** Admits one writer at a time, which calls the index functions, user code, in it. */
  private final ReentrantLock writers = new ReentrantLock();

  /** Written with the lock held, read without. */
  private volatile IndexSnapshot<T> snapshot;

  ThreadSafeStore(Map<String, ? extends IndexFunction<? super T>> indexers) {
    snapshot = IndexSnapshot.empty(indexers);
  }

  /** Returns the content at this moment. */
  IndexSnapshot<T> snapshot() {
    return snapshot;
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

  /** Records that the content shows that version. */
  void bookmark(String resourceVersion) {
    writers.lock();
    try {
      snapshot = snapshot.at(resourceVersion);
    } finally {
      writers.unlock();
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
      snapshot = snapshot.withIndexers(indexers);
    } finally {
      writers.unlock();
    }
  }
}
