package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of one type, and the choice between them for a request and for its response.
 *
 * <p>All types have JSON, which every server supports. If a type has a faster encoding, the client
 * prefers it, and still reads the responses of a server that does not support it:
 *
 * <pre>{@code
 * NegotiatedSerializer<Pod> pods = NegotiatedSerializer.json(Pod.CODEC).prefer(podsInProtobuf);
 * pods.accept();                           // application/vnd.kubernetes.protobuf,application/json
 * pods.forContentType("application/json"); // reads the response of an older server
 * }</pre>
 *
 * <p>Immutable. Corresponds to apimachinery's {@code runtime.NegotiatedSerializer} and {@code
 * runtime.ClientNegotiator}.
 *
 * @param <T> the type of the objects
 */
public final class NegotiatedSerializer<T> {

  /** The parameter that asks a server to leave out the managed fields. */
  private static final String DROP = ";drop=metadata.managedFields";

  /** The encodings: the preferred one first, JSON last. */
  private final List<Serializer<T>> serializers;

  /** The kind in whose form to ask the server for the objects; null for their own kind. */
  private final @Nullable GroupVersionKind form;

  /** Whether to ask the server to leave out the managed fields. */
  private final boolean withoutManagedFields;

  private final String accept;

  private NegotiatedSerializer(
      List<Serializer<T>> serializers,
      @Nullable GroupVersionKind form,
      boolean withoutManagedFields) {
    this.serializers = List.copyOf(serializers);
    this.form = form;
    this.withoutManagedFields = withoutManagedFields;
    this.accept = accept("");
  }

  /**
   * Returns the encodings of the metadata of objects of any kind. The objects keep the kind that
   * the server sends.
   */
  public static NegotiatedSerializer<PartialObjectMetadata> metadata() {
    GroupVersionKind kind = PartialObjectMetadata.KIND;
    // In protobuf an object does not name its kind, but only this kind is possible.
    return json(PartialObjectMetadata.CODEC)
        .prefer(Serializer.protobuf(kind, PartialObjectMetadata.codec(kind)))
        .asKind(kind);
  }

  /** Returns JSON as the only encoding. */
  public static <T> NegotiatedSerializer<T> json(JsonCodec<T> codec) {
    return new NegotiatedSerializer<>(List.of(Serializer.json(codec)), null, false);
  }

  /**
   * Returns JSON as the only encoding. The kind of a list chooses the codec of its items, which do
   * not name their own kind.
   */
  public static <T> NegotiatedSerializer<T> json(
      JsonCodec<T> codec, ListDecoder.ItemCodecs<T> items) {
    return new NegotiatedSerializer<>(List.of(new JsonSerializer<>(codec, items)), null, false);
  }

  /** Returns these encodings and one more, which is preferred to all of them. */
  public NegotiatedSerializer<T> prefer(Serializer<T> serializer) {
    List<Serializer<T>> all = new ArrayList<>(List.of(requireNonNull(serializer, "serializer")));
    all.addAll(serializers);
    return new NegotiatedSerializer<>(all, form, withoutManagedFields);
  }

  /**
   * Returns the encoding of a media type, if there is one, and JSON. For {@code application/json},
   * returns only JSON.
   */
  public NegotiatedSerializer<T> only(String mediaType) {
    requireNonNull(mediaType, "mediaType");
    List<String> types = List.of(mediaType, JsonSerializer.MEDIA_TYPE);
    return new NegotiatedSerializer<>(
        serializers.stream().filter(each -> types.contains(each.mediaType())).toList(),
        form,
        withoutManagedFields);
  }

  /**
   * Returns these encodings for objects that the server is asked to send in the form of another
   * kind, such as {@code PartialObjectMetadata}. A server that does not support it sends whole
   * objects in JSON.
   */
  public NegotiatedSerializer<T> asKind(GroupVersionKind form) {
    return new NegotiatedSerializer<>(
        serializers, requireNonNull(form, "form"), withoutManagedFields);
  }

  /**
   * Returns these encodings for readers that need only some fields of the objects. If the managed
   * fields are not among them, the server is asked to leave them out ({@code
   * drop=metadata.managedFields}, KEP-5958). A server before Kubernetes 1.38, or without the gate
   * {@code ManagedFieldsOptOut}, ignores that; then the reader skips them, as it skips all fields
   * that are not kept.
   */
  public NegotiatedSerializer<T> project(Projection projection) {
    return new NegotiatedSerializer<>(
        serializers.stream().map(each -> each.project(projection)).toList(),
        form,
        withoutManagedFields || projection.dropsManagedFields());
  }

  /** Returns the {@code Accept} header of a request for an object, or for a watch. */
  public String accept() {
    return accept;
  }

  /** Returns the {@code Accept} header of a request for a list. */
  public String acceptList() {
    return accept("List");
  }

  private String accept(String suffix) {
    String drop = withoutManagedFields ? DROP : "";
    String encodings = mediaTypes((form == null ? "" : parameters(form, suffix)) + drop);
    return form == null ? encodings : encodings + "," + JsonSerializer.MEDIA_TYPE + drop;
  }

  private static String parameters(GroupVersionKind form, String suffix) {
    return ";as=" + form.kind() + suffix + ";g=" + form.group() + ";v=" + form.version();
  }

  private String mediaTypes(String parameters) {
    return serializers.stream()
        .map(serializer -> serializer.mediaType() + parameters)
        .collect(Collectors.joining(","));
  }

  /** Returns the encoding of requests: the first one that can write. */
  public Serializer<T> forRequest() {
    return serializers.stream().filter(Serializer::canWrite).findFirst().orElseThrow();
  }

  /**
   * Returns the encoding of a response.
   *
   * @param contentType the {@code Content-Type} header of the response, whose parameters are
   *     ignored; if it is absent or empty, the response counts as JSON
   * @throws CodecException if the type has no such encoding; the message names it and the supported
   *     ones
   */
  public Serializer<T> forContentType(@Nullable String contentType) {
    String wanted = contentType == null ? "" : mediaType(contentType);
    for (Serializer<T> serializer : serializers) {
      if (serializer.mediaType().equals(wanted.isEmpty() ? JsonSerializer.MEDIA_TYPE : wanted)) {
        return serializer;
      }
    }
    throw CodecException.malformed(
        "the media type of the response is \""
            + contentType
            + "\", but this client supports only "
            + mediaTypes(""),
        "",
        -1,
        null);
  }

  private static String mediaType(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** Returns the media types, the preferred one first. */
  @Override
  public String toString() {
    return accept();
  }
}
