package dev.clientgo.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Objects by key: the local copy of a collection of the server. A {@link KeyFunction} makes the
 * keys; {@link Indexer#create} makes a store.
 *
 * <p>A list that a store returns is unmodifiable and in no particular order, and never changes. It
 * shares the objects with the store, which is safe because API objects are immutable. Each method
 * is atomic: a reader sees all changes of one call, or none. A method that throws has changed
 * nothing, except for {@link #transaction}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.Store}.
 *
 * @param <T> the type of the objects
 */
public interface Store<T> extends ReflectorStore<T>, KnownObjects<T> {

  /** Puts an object into the store; replaces the one with the same key, if any. */
  @Override
  void add(T object);

  /** Does the same as {@link #add}. */
  @Override
  void update(T object);

  /** Removes the object with the same key, if there is one. */
  @Override
  void delete(T object);

  /**
   * Removes the object with that key, if there is one. The version of the deletion is not known, so
   * {@link #lastStoreSyncResourceVersion} stays as it is.
   */
  @Override
  void deleteByKey(String key);

  /** Replaces the whole content by these objects. */
  @Override
  void replace(List<T> objects, String resourceVersion);

  @Override
  default void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    List<T> all = new ArrayList<>(objects);
    for (String key : unreadable) {
      getByKey(key).ifPresent(all::add);
    }
    replace(all, resourceVersion);
  }

  /** Does nothing. */
  @Override
  default void resync() {}

  /**
   * Makes several changes at once, in their order. A change that fails is left out, the others are
   * made.
   *
   * @throws TransactionException if some changes failed; it lists those that were made
   */
  void transaction(List<Transaction<T>> changes);

  /** Returns the stored object that has the same key. */
  Optional<T> get(T object);

  /** Returns the stored object with that key. */
  @Override
  Optional<T> getByKey(String key);

  /** Returns all objects. */
  List<T> list();

  /** Returns the keys of all objects. */
  @Override
  List<String> listKeys();

  /**
   * Returns the version of the collection that the store shows; empty before the first change.
   *
   * <p>It is the resourceVersion of the last object that was added, updated or deleted, or of the
   * last list or bookmark, and is never ahead of the objects that readers see. So a controller that
   * wrote an object at version <i>v</i> sees its own write once the store has reached <i>v</i>.
   */
  String lastStoreSyncResourceVersion();
}
