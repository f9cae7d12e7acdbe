package dev.clientgo.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A collection of objects by key: the local copy of what the server has. The keys are made by a
 * {@link KeyFunction}.
 *
 * <p>Lists that a store returns are fresh, unmodifiable and in no particular order; the objects are
 * shared, which is safe because API objects are immutable. Each method is atomic: a reader sees
 * either nothing or all of what one call changed. A method that throws has changed nothing, {@link
 * #transaction} excepted.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.Store}.
 *
 * @param <T> the type of the objects
 */
public interface Store<T> extends ReflectorStore<T>, KnownObjects<T> {

  /** Returns an empty store. Corresponds to client-go's {@code NewStore}. */
  static <T> Store<T> create(KeyFunction<? super T> keyFunction) {
    return Indexer.create(keyFunction);
  }

  /** Puts an object into the store, in place of the one with the same key, if any. */
  @Override
  void add(T object);

  /** Does the same as {@link #add}. */
  @Override
  void update(T object);

  /** Removes the object with the same key, if there is one. */
  @Override
  void delete(T object);

  /**
   * Removes the object with that key, if there is one. Other than with {@link #delete}, {@link
   * #lastStoreSyncResourceVersion} stays as it is: at which version the object went is not known.
   */
  @Override
  void deleteByKey(String key);

  /** Puts these objects in place of all that is in the store. */
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
   * Makes several changes at once, in their order. A change that cannot be made is left out, the
   * others are made.
   *
   * @throws TransactionException if some changes could not be made; it says which were
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
   * Returns which version of the collection the store shows, empty before the first change.
   *
   * <p>It follows the resourceVersion of each object added, updated or deleted, of each list and
   * each bookmark, and does not run ahead of what readers can see. So a controller that wrote an
   * object at version <i>v</i> sees its own write once the store has reached <i>v</i>.
   */
  String lastStoreSyncResourceVersion();
}
