package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.function.Consumer;

/**
 * Handles every change of a collection. Override the methods that you need.
 *
 * <p>The calls, applied in their order to an empty map, yield the state of the collection:
 *
 * <ul>
 *   <li>First comes {@link #onAdd} for each object that exists.
 *   <li>The changes of one object come in the order in which they happened. Several changes that
 *       happened while the watch was down come as one.
 *   <li>At each call, the cache already shows that change or a newer one.
 * </ul>
 *
 * <p>The calls of one registration come one after the other, and each sees what those before it
 * have written. They may come from different threads, because a thread that has nothing to deliver
 * serves other handlers. A slow handler keeps its thread and does not delay other handlers, but the
 * notifications that wait for it take memory; so put the key of the object into a work queue and
 * return. If a method throws, this handler misses that notification. The error is logged and
 * counted, and the next call follows after a second. If that was a call for an object of the first
 * list, the handler {@linkplain ResourceEventHandlerRegistration#hasSynced never counts as synced}.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TypedResourceEventHandler}.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

  /**
   * An object was added.
   *
   * @param isInInitialList whether the object existed before, and is new only to this handler
   */
  default void onAdd(T object, boolean isInInitialList) {}

  /**
   * An object was changed. At a resync, and after the watch was down, it may be unchanged: both
   * states then have the same resourceVersion.
   *
   * @param oldObject the state that this handler knows
   * @param newObject the current state
   */
  default void onUpdate(T oldObject, T newObject) {}

  /**
   * An object was deleted.
   *
   * @param deleted the key of the object, and its last known state
   */
  default void onDelete(DeletedObject<T> deleted) {}

  /**
   * Returns the handler that most controllers need. It passes on the name of each object that is
   * added, updated or deleted.
   *
   * <pre>{@code
   * informer.addEventHandler(ResourceEventHandler.keys(queue::add));
   * }</pre>
   *
   * <p>To select objects, wrap it in a {@link FilteringResourceEventHandler}. A resync also passes
   * on the names of unchanged objects.
   *
   * @param keys receives the names
   */
  static <T extends KubernetesObject> ResourceEventHandler<T> keys(
      Consumer<? super ObjectName> keys) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object, boolean isInInitialList) {
        keys.accept(ObjectName.of(object));
      }

      @Override
      public void onUpdate(T oldObject, T newObject) {
        keys.accept(ObjectName.of(newObject));
      }

      @Override
      public void onDelete(DeletedObject<T> deleted) {
        keys.accept(deleted.objectName());
      }
    };
  }

  /**
   * Returns a handler for the objects that a controller creates. It passes on the name of the owner
   * of each object that is added, updated or deleted, if the owner is of the given type and is the
   * object's controller. If an update changes the owner, it passes on both owners.
   *
   * <pre>{@code
   * deployments.addEventHandler(ResourceEventHandler.owners(Foo.TYPE, queue::add));
   * }</pre>
   *
   * <p>A resync also passes on the owners of unchanged objects. Corresponds to controller-runtime's
   * {@code handler.EnqueueRequestForOwner} with {@code OnlyControllerOwner}.
   *
   * @param owner the type of the owners; its version does not matter
   * @param names receives the names
   * @throws IllegalArgumentException if the type does not tell its kind
   */
  static <T extends KubernetesObject> ResourceEventHandler<T> owners(
      ResourceType<?> owner, Consumer<? super ObjectName> names) {
    GroupKind kind = owner.kind().groupKind();
    if (kind.kind().isEmpty()) {
      throw new IllegalArgumentException(
          owner + " does not tell its kind, which owners are found by");
    }
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object, boolean isInInitialList) {
        pass(object);
      }

      @Override
      public void onUpdate(T oldObject, T newObject) {
        if (!OwnerReferences.controllerOf(oldObject)
            .equals(OwnerReferences.controllerOf(newObject))) {
          pass(oldObject);
        }
        pass(newObject);
      }

      @Override
      public void onDelete(DeletedObject<T> deleted) {
        if (deleted.lastKnown() != null) {
          pass(deleted.lastKnown());
        }
      }

      private void pass(T object) {
        OwnerReference controller = OwnerReferences.controllerOf(object).orElse(null);
        if (controller != null && isOf(kind, controller) && controller.name() != null) {
          String namespace = owner.isNamespaced() ? ObjectName.of(object).namespace() : "";
          names.accept(new ObjectName(namespace, controller.name()));
        }
      }
    };
  }

  private static boolean isOf(GroupKind kind, OwnerReference owner) {
    String version = owner.apiVersion();
    if (version == null) {
      return false;
    }
    String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    return kind.group().equals(group) && kind.kind().equals(owner.kind());
  }
}
