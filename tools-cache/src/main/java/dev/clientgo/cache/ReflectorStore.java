package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import java.util.List;
import java.util.Set;

/**
 * Receives the changes that a Reflector reads from the server. It is either a {@link Queue}, whose
 * consumer turns changes into notifications, or a {@link Store}, which only keeps the objects.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.ReflectorStore}.
 *
 * @param <T> the type of the objects
 */
public interface ReflectorStore<T> {

  /**
   * Records an object that was added.
   *
   * @throws KeyException if the object has no key
   */
  void add(T object);

  /**
   * Records an object's new state.
   *
   * @throws KeyException if the object has no key
   */
  void update(T object);

  /**
   * Records that an object was deleted.
   *
   * @param object its last state
   * @throws KeyException if the object has no key
   */
  void delete(T object);

  /** Records that the object with that key was deleted; its final state could not be read. */
  void deleteByKey(String key);

  /**
   * Records a list of the whole collection; an object that it lacks was deleted.
   *
   * @param resourceVersion the version of the collection that the list shows
   * @throws KeyException if an object has no key; then the list has no effect
   */
  void replace(List<T> objects, String resourceVersion);

  /**
   * Records a list of the whole collection in which some objects could not be read. Those exist, so
   * the last known state of each stays. The default knows no states, and ignores them.
   *
   * @param objects the objects that could be read
   * @param unreadable the keys of the objects that could not be read
   * @param resourceVersion the version of the collection that the list shows
   * @throws KeyException if an object has no key; then the list has no effect
   */
  default void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    replace(objects, resourceVersion);
  }

  /**
   * Records that other objects of the collection are followed, of which only those that are new
   * were listed. The default does nothing.
   *
   * @param added the objects that are new
   * @param kept selects the objects that stay as they are; those that neither has are not followed
   * @param resourceVersion the version that the last event or list has reached
   * @return whether this was recorded; otherwise all must be listed
   */
  default boolean replacePart(List<T> added, ShardSelector kept, String resourceVersion) {
    return false;
  }

  /**
   * Notifies handlers of every object again, although nothing has changed. A store does nothing.
   */
  void resync();

  /** Records that the collection has reached that version without a change since the last event. */
  void bookmark(String resourceVersion);
}
