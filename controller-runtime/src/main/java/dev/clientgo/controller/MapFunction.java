package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.DeletedObject;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps an object that has changed to the requests that should be reconciled for it. For an update
 * the controller maps both the old and the new state.
 *
 * <pre>{@code
 * .watches(Secret.TYPE, secret -> foosThatUse(secret).stream().map(Request::of).toList())
 * }</pre>
 *
 * <p>The informer's thread calls it, so it must be quick. A function that reads is a {@link
 * ReadingMapFunction}.
 *
 * <p>Corresponds to controller-runtime's {@code handler.MapFunc} and its ready-made event handlers.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface MapFunction<T extends KubernetesObject> {

  /** Returns the requests for an object; none, if it concerns nothing. */
  Collection<Request> map(T object);

  /**
   * Returns the requests for an object that was deleted. Default: those for its last known state.
   */
  default Collection<Request> mapDeleted(DeletedObject<T> deleted) {
    T last = deleted.lastKnown();
    return last == null ? List.of() : map(last);
  }

  /**
   * Returns the function that maps an object to itself.
   *
   * <p>Corresponds to controller-runtime's {@code handler.EnqueueRequestForObject}.
   */
  static <T extends KubernetesObject> MapFunction<T> self() {
    return new MapFunction<>() {
      @Override
      public Collection<Request> map(T object) {
        return List.of(Request.of(object));
      }

      @Override
      public Collection<Request> mapDeleted(DeletedObject<T> deleted) {
        return List.of(Request.of(deleted.objectName()));
      }
    };
  }

  /**
   * Returns the function that maps an object to its controller, if that is of the given type.
   *
   * <p>Corresponds to controller-runtime's {@code handler.EnqueueRequestForOwner} with {@code
   * OnlyControllerOwner}.
   *
   * @param owner the type of the owners; its version does not matter
   * @throws IllegalArgumentException if the type does not tell its kind
   */
  static <T extends KubernetesObject> MapFunction<T> controller(ResourceType<?> owner) {
    requireKind(owner);
    return object ->
        object.metadata().controller().stream()
            .filter(reference -> isOf(owner, reference))
            .map(reference -> request(owner, object, reference))
            .toList();
  }

  /**
   * Returns the function that maps an object to all its owners of the given type.
   *
   * <p>Corresponds to controller-runtime's {@code handler.EnqueueRequestForOwner}.
   *
   * @param owner the type of the owners; its version does not matter
   * @throws IllegalArgumentException if the type does not tell its kind
   */
  static <T extends KubernetesObject> MapFunction<T> owners(ResourceType<?> owner) {
    requireKind(owner);
    return object ->
        object.metadata().ownerReferences().stream()
            .filter(reference -> isOf(owner, reference))
            .map(reference -> request(owner, object, reference))
            .toList();
  }

  private static void requireKind(ResourceType<?> owner) {
    if (owner.kind().kind().isEmpty()) {
      throw new IllegalArgumentException(
          owner
              + " does not tell its kind, by which owners are found: use"
              + " Unstructured.type(kind, plural, namespaced) or a generated type");
    }
  }

  private static boolean isOf(ResourceType<?> owner, OwnerReference reference) {
    String apiVersion = reference.apiVersion();
    String name = reference.name();
    if (apiVersion == null || name == null || name.isEmpty()) {
      return false;
    }
    GroupKind kind = owner.kind().groupKind();
    return kind.kind().equals(reference.kind()) && kind.group().equals(group(apiVersion));
  }

  private static @Nullable String group(String apiVersion) {
    try {
      return GroupVersion.parse(apiVersion).group();
    } catch (IllegalArgumentException e) {
      return null; // A server refuses it, but a test's own object may have it.
    }
  }

  private static Request request(
      ResourceType<?> owner, KubernetesObject object, OwnerReference reference) {
    String namespace = owner.isNamespaced() ? Request.of(object).namespace() : "";
    return new Request(namespace, String.valueOf(reference.name()));
  }
}
