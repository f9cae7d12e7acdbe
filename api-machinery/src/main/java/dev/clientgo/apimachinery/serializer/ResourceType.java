package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

  /** The fields that are read, null for all. */
  private final @Nullable Projection projection;

  /** The encodings that read these fields. */
  private final NegotiatedSerializer<T> projecting;

  private ResourceType(
      GroupVersionKind kind,
      GroupVersionResource resource,
      boolean namespaced,
      JsonCodec<T> codec,
      NegotiatedSerializer<T> serializers,
      @Nullable Projection projection) {
    this.kind = requireNonNull(kind, "kind");
    this.resource = requireNonNull(resource, "resource");
    this.namespaced = namespaced;
    this.codec = requireNonNull(codec, "codec");
    this.serializers = requireNonNull(serializers, "serializers");
    this.projection = projection;
    this.projecting = projection == null ? serializers : serializers.project(projection);
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
        NegotiatedSerializer.json(codec),
        null);
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
    return new ResourceType<>(
        kind, resource, namespaced, codec, edit.apply(serializers), projection);
  }

  /**
   * Returns this resource, of whose objects only some fields are read.
   *
   * <pre>{@code
   * factory.informer(Pod.TYPE.keep("spec.nodeName", "status.phase"));
   * }</pre>
   *
   * <p>The server still sends whole objects; the reader skips all other fields. {@link Projection}
   * lists the fields that are always kept. Clients refuse to write such objects, since the server
   * would delete what they lack; {@code edit(name, change)} reads the whole object.
   *
   * @param paths the paths of fields, each with everything below it
   * @throws IllegalArgumentException if the objects have no such field; the message names those
   *     that are like it
   */
  public ResourceType<T> keep(String... paths) {
    return project(Projection.keep(paths));
  }

  /**
   * Returns this resource, of whose objects some fields are not read; see {@link #keep}.
   *
   * @throws IllegalArgumentException if the objects have no such field, or caches need it
   */
  public ResourceType<T> drop(String... paths) {
    return project(Projection.drop(paths));
  }

  /**
   * Returns this resource without the managed fields of its objects. A server with the gate {@code
   * ManagedFieldsOptOut} (alpha in Kubernetes 1.38) leaves them out of its responses; if it sends
   * them, the reader skips them.
   *
   * <p>Such objects can be written back: a server keeps its own managed fields if an object has
   * none. They cannot be the base of a server-side apply that extracts what a manager owns.
   */
  public ResourceType<T> dropManagedFields() {
    return with(Projection.WITHOUT_MANAGED_FIELDS);
  }

  /**
   * Returns this resource, of whose objects only the fields of a projection are read. If some
   * fields are left out already, only those that both keep are read.
   *
   * @throws IllegalArgumentException if the objects have no such field
   */
  public ResourceType<T> project(Projection projection) {
    JsonCodecs.check(codec, projection);
    return with(projection);
  }

  private ResourceType<T> with(Projection other) {
    Projection both = projection == null ? other : projection.and(other);
    return new ResourceType<>(kind, resource, namespaced, codec, serializers, both);
  }

  /**
   * Returns this resource with objects that are requested without anything but their metadata. The
   * server sends only the metadata.
   */
  public ResourceType<PartialObjectMetadata> metadataOnly() {
    ResourceType<PartialObjectMetadata> type = metadata(kind, resource.resource(), namespaced);
    return projection != null && projection.dropsManagedFields() ? type.dropManagedFields() : type;
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

  /** Returns the fields that are read; empty if the objects are read whole. */
  public Optional<Projection> projection() {
    return Optional.ofNullable(projection);
  }

  /** Returns this resource, whose objects are read whole. */
  public ResourceType<T> whole() {
    return projection == null
        ? this
        : new ResourceType<>(kind, resource, namespaced, codec, serializers, null);
  }

  /** Returns the JSON codec of the objects, which reads the fields of the projection. */
  public JsonCodec<T> codec() {
    return projection == null ? codec : JsonCodecs.project(codec, projection);
  }

  /** Returns all encodings of the objects, which read the fields of the projection. */
  public NegotiatedSerializer<T> serializers() {
    return projecting;
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
