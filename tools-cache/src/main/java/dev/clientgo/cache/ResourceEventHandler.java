package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.function.Consumer;

/**
 * Is called for every change of a collection. Override the methods that you need.
 *
 * <p>The calls of a handler, applied in this order to an empty map, give the state of the
 * collection:
 *
 * <ul>
 *   <li>It first hears {@link #onAdd} for each object that exists.
 *   <li>For each object, it hears of changes in the order in which they happened. Several changes
 *       that happened while the watch was down are told as one.
 *   <li>When it hears of a change, the cache already shows it, or something newer.
 * </ul>
 *
 * <p>One thread makes the calls of one registration, one after the other. A slow handler delays no
 * other, but the notifications that wait for it take memory; so put the key of the object into a
 * work queue and return. If a method throws, this handler misses that notification; the error is
 * logged and counted, and the next call is made after a second.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TypedResourceEventHandler}.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

  /**
   * An object was added.
   *
   * @param object the object
   * @param isInInitialList whether it existed before, and is new only to this handler
   */
  default void onAdd(T object, boolean isInInitialList) {}

  /**
   * An object was changed. At a resync, and after the watch was down, it may be unchanged: both
   * states then have the same resourceVersion.
   *
   * @param oldObject the state that this handler knows
   * @param newObject the state now
   */
  default void onUpdate(T oldObject, T newObject) {}

  /**
   * An object was deleted.
   *
   * @param deleted its last state, as far as it is known
   */
  default void onDelete(DeletedObject<T> deleted) {}

  /**
   * Returns the handler that most controllers need: it passes on the name of each object that is
   * added, updated or deleted.
   *
   * <pre>{@code
   * informer.addEventHandler(ResourceEventHandler.keys(queue::add));
   * }</pre>
   *
   * <p>Put it behind a {@link FilteringResourceEventHandler} to get only some of the objects. A
   * resync passes on the names of unchanged objects, too.
   *
   * @param keys receives the names
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
