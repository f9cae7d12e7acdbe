package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.function.Consumer;

/**
 * Hears of every change of a collection. Override what is of interest.
 *
 * <p>What a handler is told, applied in this order to an empty map, gives the state of the
 * collection:
 *
 * <ul>
 *   <li>It first hears {@link #onAdd} for each object that exists.
 *   <li>For each object, it hears of changes in the order in which they happened. It may not hear
 *       of every single one: what happened while the watch was down is told as one change.
 *   <li>When it hears of a change, the cache already shows it, or something newer.
 * </ul>
 *
 * <p>The methods of one registration are called one after the other, by one thread. A handler that
 * is slow holds up nobody else, but what it has not been told yet takes memory; so put the key of
 * the object into a work queue and return. If a method throws, that notification is lost for this
 * handler; the error is logged and counted, and the next notification waits for a second.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TypedResourceEventHandler}.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

  /**
   * An object appeared.
   *
   * @param object the object
   * @param isInInitialList whether it existed before, and is new only to this handler
   */
  default void onAdd(T object, boolean isInInitialList) {}

  /**
   * An object was changed. Or it was not, and both states have the same resourceVersion: this
   * happens at a resync, and after the watch was down.
   *
   * @param oldObject the state that this handler was told of last
   * @param newObject the state now
   */
  default void onUpdate(T oldObject, T newObject) {}

  /**
   * An object is gone.
   *
   * @param deleted its last state, as far as it is known
   */
  default void onDelete(DeletedObject<T> deleted) {}

  /**
   * Returns the handler that nearly every controller has: whatever happens to an object, it passes
   * on the name.
   *
   * <pre>{@code
   * informer.addEventHandler(ResourceEventHandler.keys(queue::add));
   * }</pre>
   *
   * <p>For the objects of a part of the collection put it behind a {@link
   * FilteringResourceEventHandler}. Unchanged objects come, too, at a resync.
   *
   * @param keys takes the name of each object that was added, changed or deleted
   */
  static <T extends KubernetesObject> ResourceEventHandler<T> keys(
      Consumer<? super ObjectName> keys) {
    return ResourceEventHandlerFuncs.<T>builder()
        .onAdd(object -> keys.accept(ObjectName.of(object)))
        .onUpdate((before, after) -> keys.accept(ObjectName.of(after)))
        .onDelete(deleted -> keys.accept(deleted.objectName()))
        .build();
  }
}
