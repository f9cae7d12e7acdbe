package dev.clientgo.cache;

import java.util.List;
import java.util.Set;

/**
 * Where a Reflector puts what the server tells it: either a {@link Queue}, whose consumer turns it
 * into notifications, or a {@link Store}, which just keeps it.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.ReflectorStore}.
 *
 * @param <T> the type of the objects
 */
public interface ReflectorStore<T> {

  /**
   * Takes note of an object that appeared.
   *
   * @throws KeyException if the object has no key
   */
  void add(T object);

  /**
   * Takes note of an object's new state.
   *
   * @throws KeyException if the object has no key
   */
  void update(T object);

  /**
   * Takes note that an object is gone.
   *
   * @param object its last state
   * @throws KeyException if the object has no key
   */
  void delete(T object);

  /** Takes note that the object with that key is gone, in what final state could not be read. */
  void deleteByKey(String key);

  /**
   * Takes a list of the whole collection: what is not in it is gone.
   *
   * @param objects the objects; the receiver keeps the list, so the caller must not change it any
   *     more
   * @param resourceVersion the version of the collection that the list shows
   * @throws KeyException if an object has no key; then nothing of the list is taken
   */
  void replace(List<T> objects, String resourceVersion);

  /**
   * Takes a list of the whole collection, some objects of which could not be read. What is known of
   * these stays as it is: they exist. The default does not know of any.
   *
   * @param objects the objects that could be read; the receiver keeps the list
   * @param unreadable the keys of those that could not be read
   * @param resourceVersion the version of the collection that the list shows
   * @throws KeyException if an object has no key; then nothing of the list is taken
   */
  default void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    replace(objects, resourceVersion);
  }

  /**
   * Asks for another look at every object, though nothing has changed. A store has nobody to tell
   * and does nothing.
   */
  void resync();

  /**
   * Takes note that the collection has reached that version, and that nothing changed since the
   * last event.
   */
  void bookmark(String resourceVersion);
}
