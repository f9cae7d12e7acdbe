package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.function.UnaryOperator;

/**
 * A resource as a client needs to know it: the kind of its objects, their place on the server, and
 * their codecs. Each generated type has its own as the constant {@code TYPE}. Immutable.
 *
 * @param <T> the type of the objects
 */
public final class ResourceType<T extends KubernetesObject> {

  private final GroupVersionKind kind;
  private final GroupVersionResource resource;
  private final boolean namespaced;
  private final JsonCodec<T> codec;
  private final NegotiatedSerializer<T> serializers;

  private ResourceType(
      GroupVersionKind kind,
      GroupVersionResource resource,
      boolean namespaced,
      JsonCodec<T> codec,
      NegotiatedSerializer<T> serializers) {
    this.kind = requireNonNull(kind, "kind");
    this.resource = requireNonNull(resource, "resource");
    this.namespaced = namespaced;
    this.codec = requireNonNull(codec, "codec");
    this.serializers = requireNonNull(serializers, "serializers");
  }

  /** Returns a resource whose objects live in namespaces. */
  public static <T extends KubernetesObject> ResourceType<T> namespaced(
      GroupVersionKind kind, String plural, JsonCodec<T> codec) {
    return of(kind, plural, true, codec);
  }

  /** Returns a resource whose objects belong to the cluster. */
  public static <T extends KubernetesObject> ResourceType<T> clusterScoped(
      GroupVersionKind kind, String plural, JsonCodec<T> codec) {
    return of(kind, plural, false, codec);
  }

  /** Returns a resource whose objects are requested without anything but their metadata. */
  public static ResourceType<PartialObjectMetadata> metadata(
      GroupVersionKind kind, String plural, boolean namespaced) {
    JsonCodec<PartialObjectMetadata> codec = PartialObjectMetadata.codec(kind);
    return of(kind, plural, namespaced, codec)
        .with(
            json ->
                json.prefer(Serializer.protobuf(PartialObjectMetadata.KIND, codec))
                    .asKind(PartialObjectMetadata.KIND));
  }

  /**
   * Returns a resource whose kind is unknown and whose objects are requested without anything but
   * their metadata. The objects keep the kind that the server sends, {@code PartialObjectMetadata}.
   */
  public static ResourceType<PartialObjectMetadata> metadata(GroupVersionResource resource) {
    GroupVersionKind unknown = resource.groupVersion().withKind("");
    return namespaced(unknown, resource.resource(), PartialObjectMetadata.CODEC)
        .with(json -> NegotiatedSerializer.metadata());
  }

  private static <T extends KubernetesObject> ResourceType<T> of(
      GroupVersionKind kind, String plural, boolean namespaced, JsonCodec<T> codec) {
    return new ResourceType<>(
        kind,
        kind.groupVersion().withResource(plural),
        namespaced,
        codec,
        NegotiatedSerializer.json(codec));
  }

  /**
   * Returns this resource with other encodings, for a type that has more than JSON.
   *
   * <pre>{@code
   * TYPE = ResourceType.namespaced(KIND, "pods", CODEC).with(json -> json.prefer(protobuf));
   * }</pre>
   *
   * @param edit receives the current encodings and returns the new ones
   */
  public ResourceType<T> with(UnaryOperator<NegotiatedSerializer<T>> edit) {
    return new ResourceType<>(kind, resource, namespaced, codec, edit.apply(serializers));
  }

  /**
   * Returns this resource with protobuf as the preferred encoding of responses. Only the types of
   * Kubernetes itself have this encoding; their constants {@code TYPE} already prefer it. A {@code
   * RestConfig} can turn it off.
   */
  public ResourceType<T> protobuf() {
    return with(all -> all.prefer(Serializer.protobuf(kind, codec)));
  }

  /** Returns the kind of the objects. */
  public GroupVersionKind kind() {
    return kind;
  }

  /** Returns the resource under which a server serves the objects. */
  public GroupVersionResource resource() {
    return resource;
  }

  /** Returns whether the objects live in namespaces. */
  public boolean isNamespaced() {
    return namespaced;
  }

  /** Returns the JSON codec of the objects. */
  public JsonCodec<T> codec() {
    return codec;
  }

  /** Returns all encodings of the objects. */
  public NegotiatedSerializer<T> serializers() {
    return serializers;
  }

  /** Returns the kind of a list of the objects: {@code PodList}. */
  public GroupVersionKind listKind() {
    return kind.groupVersion().withKind(kind.kind() + "List");
  }

  /** Returns the codec of a whole list of the objects. */
  public JsonCodec<ResourceList<T>> listCodec() {
    return new ResourceList.Codec<>(this);
  }

  /** Returns the resource in a form for people: {@code pods}, {@code deployments.apps}. */
  @Override
  public String toString() {
    return resource.groupResource().toString();
  }
}
