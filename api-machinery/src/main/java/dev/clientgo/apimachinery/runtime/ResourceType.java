package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;

/**
 * All that a client needs to know about a resource: what its objects are, where they are served,
 * and how they are read and written. Generated types bring theirs as a constant. Immutable.
 *
 * @param <T> the type of the objects
 */
public final class ResourceType<T extends KubernetesObject> {

  private final GroupVersionKind kind;
  private final GroupVersionResource resource;
  private final boolean namespaced;
  private final JsonCodec<T> codec;

  private ResourceType(
      GroupVersionKind kind,
      GroupVersionResource resource,
      boolean namespaced,
      JsonCodec<T> codec) {
    this.kind = requireNonNull(kind, "kind");
    this.resource = requireNonNull(resource, "resource");
    this.namespaced = namespaced;
    this.codec = requireNonNull(codec, "codec");
  }

  /** Returns a resource whose objects live in namespaces. */
  public static <T extends KubernetesObject> ResourceType<T> namespaced(
      GroupVersionKind kind, String plural, JsonCodec<T> codec) {
    return new ResourceType<>(kind, kind.groupVersion().withResource(plural), true, codec);
  }

  /** Returns a resource whose objects belong to the cluster. */
  public static <T extends KubernetesObject> ResourceType<T> clusterScoped(
      GroupVersionKind kind, String plural, JsonCodec<T> codec) {
    return new ResourceType<>(kind, kind.groupVersion().withResource(plural), false, codec);
  }

  /** Returns the kind of the objects. */
  public GroupVersionKind kind() {
    return kind;
  }

  /** Returns where the objects are served. */
  public GroupVersionResource resource() {
    return resource;
  }

  /** Returns whether the objects live in namespaces. */
  public boolean isNamespaced() {
    return namespaced;
  }

  /** Returns how the objects are read and written. */
  public JsonCodec<T> codec() {
    return codec;
  }

  @Override
  public String toString() {
    return resource.toString();
  }
}
