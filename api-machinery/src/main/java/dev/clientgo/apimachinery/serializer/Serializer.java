package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.watch.Decoder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * One encoding of the objects, lists and watches of one type.
 *
 * <p>Clients read and write bytes only through this interface. To add an encoding, pass it to the
 * {@link ResourceType}. Implementations are immutable and safe for use by many threads; a decoder
 * belongs to the thread that requested it.
 *
 * <p>Corresponds to apimachinery's {@code runtime.SerializerInfo} with the serializers in it.
 *
 * @param <T> the type of the objects
 */
public interface Serializer<T> {

  /** Returns the encoding of a type in JSON. */
  static <T> Serializer<T> json(JsonCodec<T> codec) {
    return new JsonSerializer<>(codec, kind -> codec);
  }

  /**
   * Returns the encoding of a built-in type in protobuf. It only reads: requests are few and small,
   * and the client sends them in JSON.
   *
   * @param codec a codec that knows the {@linkplain
   *     dev.clientgo.apimachinery.json.FieldNames#protobuf form of its fields in protobuf}
   */
  static <T> Serializer<T> protobuf(JsonCodec<T> codec) {
    return new ProtobufSerializer<>(null, codec);
  }

  /**
   * Returns the encoding of a built-in type in protobuf. If the envelope of an object or list names
   * another kind, the reader throws a {@link CodecException}, as in JSON.
   *
   * @param kind the kind that the server sends
   */
  static <T> Serializer<T> protobuf(GroupVersionKind kind, JsonCodec<T> codec) {
    return new ProtobufSerializer<>(kind, codec);
  }

  /** Returns whether objects can be written in this encoding. */
  default boolean canWrite() {
    return true;
  }

  /** Returns the name of the encoding, such as {@code application/json}, without parameters. */
  String mediaType();

  /**
   * Returns this encoding for readers that need only some fields of the objects. It skips the
   * others, and writes whole objects as before.
   *
   * @throws UnsupportedOperationException if the encoding cannot skip fields, as the default does
   */
  default Serializer<T> project(Projection projection) {
    throw new UnsupportedOperationException(
        "the encoding " + mediaType() + " of " + getClass().getName() + " cannot skip fields");
  }

  /**
   * Encodes an object.
   *
   * @throws IllegalArgumentException if the object lacks fields, because it was read with a
   *     projection; see {@link dev.clientgo.apimachinery.meta.ObjectMeta#requireWritable}
   */
  byte[] write(T object);

  /**
   * Reads the only object of a stream.
   *
   * @param context the values that the objects share
   * @throws CodecException if there is no such object
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  T read(InputStream in, DecodeContext context);

  /**
   * Reads the only object of an array. The default reads the array as a stream; an encoding can
   * avoid the buffer of that stream.
   *
   * @param context the values that the objects share
   * @throws CodecException if there is no such object
   */
  default T read(byte[] object, DecodeContext context) {
    return read(new ByteArrayInputStream(object), context);
  }

  /**
   * Reads a list item by item, as the bytes arrive, without keeping the items. An item that cannot
   * be decoded goes to {@link ListSink#undecodable}.
   *
   * @param context the values that the objects share
   * @return the metadata of the list
   * @throws CodecException if the stream holds no list
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink);

  /**
   * Returns a decoder of the events of a watch. It reads nothing before the first call of its
   * {@code next}.
   *
   * @param context the values that the objects share
   */
  Decoder<T> watch(InputStream in, DecodeContext context);
}
