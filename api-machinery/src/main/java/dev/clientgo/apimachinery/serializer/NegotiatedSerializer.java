package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of one type, and the choice between them: what to ask a server for, what to send,
 * and how to read what it answers.
 *
 * <p>All types have JSON, which every server understands. A type that has a faster encoding prefers
 * it, and a server that does not speak it is still understood:
 *
 * <pre>{@code
 * NegotiatedSerializer<Pod> pods = NegotiatedSerializer.json(Pod.CODEC).prefer(podsInProtobuf);
 * pods.accept();                           // application/vnd.kubernetes.protobuf,application/json
 * pods.forContentType("application/json"); // reads what an older server sends
 * }</pre>
 *
 * <p>Immutable. Corresponds to apimachinery's {@code runtime.NegotiatedSerializer} and {@code
 * runtime.ClientNegotiator}.
 *
 * @param <T> the type of the objects
 */
public final class NegotiatedSerializer<T> {

  /** The preferred one first, JSON last. */
  private final List<Serializer<T>> serializers;

  /** The kind as which the server is to send the objects. */
  private final @Nullable GroupVersionKind form;

  private final String accept;

  private NegotiatedSerializer(List<Serializer<T>> serializers, @Nullable GroupVersionKind form) {
    this.serializers = List.copyOf(serializers);
    this.form = form;
    this.accept = accept("");
  }

  /**
   * Returns the encodings of the metadata of objects of any kind. The objects keep the kind that
   * the server sends.
   */
  public static NegotiatedSerializer<PartialObjectMetadata> metadata() {
    GroupVersionKind kind = PartialObjectMetadata.KIND;
    // In protobuf an object does not name its kind, but it can be no other.
    return json(PartialObjectMetadata.CODEC)
        .prefer(Serializer.protobuf(kind, PartialObjectMetadata.codec(kind)))
        .as(kind);
  }

  /** Returns JSON alone. */
  public static <T> NegotiatedSerializer<T> json(JsonCodec<T> codec) {
    return new NegotiatedSerializer<>(List.of(Serializer.json(codec)), null);
  }

  /**
   * Returns JSON alone, where the items of a list are read with a codec that is chosen by the kind
   * of the list: for objects that do not know their own kind.
   */
  public static <T> NegotiatedSerializer<T> json(
      JsonCodec<T> codec, ListDecoder.ItemCodecs<T> items) {
    return new NegotiatedSerializer<>(List.of(new JsonSerializer<>(codec, items)), null);
  }

  /** Returns these encodings after one that is preferred to all of them. */
  public NegotiatedSerializer<T> prefer(Serializer<T> serializer) {
    List<Serializer<T>> all = new ArrayList<>(List.of(requireNonNull(serializer, "serializer")));
    all.addAll(serializers);
    return new NegotiatedSerializer<>(all, form);
  }

  /**
   * Returns of these encodings the one of a media type, if there is one, and JSON: {@code
   * application/json} gives JSON alone.
   */
  public NegotiatedSerializer<T> only(String mediaType) {
    requireNonNull(mediaType, "mediaType");
    List<Serializer<T>> chosen = new ArrayList<>();
    for (Serializer<T> serializer : serializers) {
      String type = serializer.mediaType();
      if (type.equals(mediaType) || type.equals(JsonSerializer.MEDIA_TYPE)) {
        chosen.add(serializer);
      }
    }
    return new NegotiatedSerializer<>(chosen, form);
  }

  /**
   * Returns these encodings for objects that the server is to send as another kind, such as {@code
   * PartialObjectMetadata}. A server that cannot do that sends whole objects, in JSON.
   */
  public NegotiatedSerializer<T> as(GroupVersionKind form) {
    return new NegotiatedSerializer<>(serializers, requireNonNull(form, "form"));
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
    String encodings = mediaTypes(form == null ? "" : parameters(form, suffix));
    return form == null ? encodings : encodings + "," + JsonSerializer.MEDIA_TYPE;
  }

  private static String parameters(GroupVersionKind form, String suffix) {
    return ";as=" + form.kind() + suffix + ";g=" + form.group() + ";v=" + form.version();
  }

  private String mediaTypes(String parameters) {
    StringBuilder types = new StringBuilder();
    for (Serializer<T> serializer : serializers) {
      types.append(types.isEmpty() ? "" : ",").append(serializer.mediaType()).append(parameters);
    }
    return types.toString();
  }

  /** Returns the encoding in which objects are sent: the preferred one of those that can write. */
  public Serializer<T> forRequest() {
    return serializers.stream().filter(Serializer::canWrite).findFirst().orElseThrow();
  }

  /**
   * Returns the encoding of an answer.
   *
   * @param contentType the {@code Content-Type} header of the answer, whose parameters are not
   *     looked at; without one, or with an empty one, the answer is taken for JSON
   * @throws CodecException if the type has no such encoding; the message names it and those that
   *     there are
   */
  public Serializer<T> forContentType(@Nullable String contentType) {
    String wanted = contentType == null ? "" : mediaType(contentType);
    for (Serializer<T> serializer : serializers) {
      if (serializer.mediaType().equals(wanted.isEmpty() ? JsonSerializer.MEDIA_TYPE : wanted)) {
        return serializer;
      }
    }
    throw CodecException.malformed(
        "the answer is of media type \""
            + contentType
            + "\", and what is understood is "
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
