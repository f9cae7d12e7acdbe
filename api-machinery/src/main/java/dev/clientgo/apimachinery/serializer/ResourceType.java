package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.function.UnaryOperator;

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

  /** Returns a resource of whose objects only the metadata is requested. */
  public static ResourceType<PartialObjectMetadata> metadata(
      GroupVersionKind kind, String plural, boolean namespaced) {
    JsonCodec<PartialObjectMetadata> codec = PartialObjectMetadata.codec(kind);
    return of(kind, plural, namespaced, codec)
        .with(
            json ->
                json.prefer(Serializer.protobuf(PartialObjectMetadata.KIND, codec))
                    .as(PartialObjectMetadata.KIND));
  }

  /**
   * Returns a resource of which only the name is known, and of whose objects only the metadata is
   * requested. The objects keep the kind that the server sends, {@code PartialObjectMetadata}.
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
   * Returns this resource with other encodings: a type that has more than JSON says so here.
   *
   * <pre>{@code
   * TYPE = ResourceType.namespaced(KIND, "pods", CODEC).with(json -> json.prefer(protobuf));
   * }</pre>
   *
   * @param edit gets the encodings there are, and returns those to come
   */
  public ResourceType<T> with(UnaryOperator<NegotiatedSerializer<T>> edit) {
    return with(edit.apply(serializers));
  }

  private ResourceType<T> with(NegotiatedSerializer<T> serializers) {
    return new ResourceType<>(kind, resource, namespaced, codec, serializers);
  }

  /**
   * Returns this resource with objects that are read from protobuf, where the server has it. Only
   * the types of Kubernetes itself can be; their codecs say how, and their constants {@code TYPE}
   * are so already. A {@code RestConfig} can have them read from JSON.
   */
  public ResourceType<T> protobuf() {
    return with(serializers.prefer(Serializer.protobuf(kind, codec)));
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

  /** Returns how the objects are read from and written to JSON. */
  public JsonCodec<T> codec() {
    return codec;
  }

  /** Returns all encodings of the objects, and the choice between them. */
  public NegotiatedSerializer<T> serializers() {
    return serializers;
  }

  /** Returns the kind of a list of the objects: {@code PodList}. */
  public GroupVersionKind listKind() {
    return kind.groupVersion().withKind(kind.kind() + "List");
  }

  /** Returns how a list of the objects is read and written as a whole. */
  public JsonCodec<ResourceList<T>> listCodec() {
    return new ResourceList.Codec<>(this);
  }

  /** Returns the resource as a person would name it: {@code pods}, {@code deployments.apps}. */
  @Override
  public String toString() {
    return resource.groupResource().toString();
  }
}
