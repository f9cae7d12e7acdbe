package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object of any kind, without the rest of the object. It is enough for garbage
 * collectors, owner look-ups and label controllers, and takes a fraction of the memory and of the
 * bytes on the wire.
 *
 * <p>A server reduces objects to this form if the {@code Accept} header requests it, and names
 * {@code PartialObjectMetadata} as their kind. The codec of {@link #codec} returns objects with
 * their own kind, which owner references and patches need. It also reads whole objects, which a
 * server sends that ignores the header.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.PartialObjectMetadata}.
 *
 * @param apiVersion group and version of the object; empty if unknown
 * @param kind the kind of the object; empty if unknown
 * @param metadata the metadata
 */
public record PartialObjectMetadata(String apiVersion, String kind, ObjectMeta metadata)
    implements KubernetesObject {

  /** The kind of objects in this form; that of a list ends in List. */
  public static final GroupVersionKind KIND =
      new GroupVersionKind("meta.k8s.io", "v1", "PartialObjectMetadata");

  /** Reads and writes this type; an object that was read has the kind that the server sent. */
  public static final JsonCodec<PartialObjectMetadata> CODEC = new Codec("", "");

  public PartialObjectMetadata {
    requireNonNull(apiVersion, "apiVersion");
    requireNonNull(kind, "kind");
    requireNonNull(metadata, "metadata");
  }

  /** Returns the metadata of an object, without the rest. */
  public static PartialObjectMetadata of(KubernetesObject object) {
    return new PartialObjectMetadata(object.apiVersion(), object.kind(), object.metadata());
  }

  /**
   * Returns a codec of the metadata of objects of a kind, which replaces the kind that was sent.
   */
  public static JsonCodec<PartialObjectMetadata> codec(GroupVersionKind kind) {
    return new Codec(kind.apiVersion(), kind.kind());
  }

  /** Returns this object with other metadata. */
  @Override
  public PartialObjectMetadata withMetadata(ObjectMeta metadata) {
    return new PartialObjectMetadata(apiVersion, kind, metadata);
  }

  /**
   * Reads and writes objects of a kind.
   *
   * @param apiVersion the apiVersion, empty for the one that was sent
   * @param kind the kind, empty for the one that was sent
   */
  private record Codec(String apiVersion, String kind) implements JsonCodec<PartialObjectMetadata> {

    private static final FieldNames FIELDS =
        FieldNames.of("apiVersion", "kind", "metadata").protobuf("- - 1");

    @Override
    public PartialObjectMetadata read(JsonReader in) {
      String sentApiVersion = "";
      String sentKind = "";
      ObjectMeta metadata = ObjectMeta.EMPTY;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> sentApiVersion = in.nextString();
          case 1 -> sentKind = in.nextString();
          case 2 -> metadata = ObjectMeta.CODEC.read(in);
          default -> throw new AssertionError(field);
        }
      }
      if (!isLikely(metadata)) {
        throw in.mismatch(
            "object does not appear to match the ObjectMeta schema: it has no name, generateName,"
                + " uid or creationTimestamp");
      }
      return kind.isEmpty()
          ? new PartialObjectMetadata(sentApiVersion, sentKind, metadata)
          : new PartialObjectMetadata(apiVersion, kind, metadata);
    }

    /** As upstream: without this check, any JSON object would be read as empty metadata. */
    private static boolean isLikely(ObjectMeta metadata) {
      return isSet(metadata.uid())
          || metadata.creationTimestamp() != null
          || isSet(metadata.name())
          || isSet(metadata.generateName());
    }

    private static boolean isSet(@Nullable String value) {
      return value != null && !value.isEmpty();
    }

    @Override
    public void write(JsonWriter out, PartialObjectMetadata value) {
      out.beginObject();
      out.field("apiVersion", value.apiVersion().isEmpty() ? null : value.apiVersion());
      out.field("kind", value.kind().isEmpty() ? null : value.kind());
      out.field("metadata", ObjectMeta.CODEC, value.metadata());
      out.endObject();
    }
  }
}
