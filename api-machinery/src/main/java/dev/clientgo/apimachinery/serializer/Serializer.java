package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.watch.Decoder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * One encoding of the objects of one type: how an object, a list and a watch look as bytes.
 *
 * <p>Clients reach bytes only through this, so another encoding is added by giving it to the {@link
 * ResourceType}, and nothing else changes. Implementations are immutable and safe for use by many
 * threads; what they return belongs to the thread that asked for it.
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
   * Returns the encoding of a type in protobuf, as servers have it for their own types. It only
   * reads: requests are few and small, and are sent in JSON.
   *
   * @param codec reads JSON, and knows the {@linkplain
   *     dev.clientgo.apimachinery.json.FieldNames#protobuf form of its fields in protobuf}
   */
  static <T> Serializer<T> protobuf(JsonCodec<T> codec) {
    return new ProtobufSerializer<>(null, codec);
  }

  /**
   * Does the same for objects of a kind, and of lists of that kind: the envelope of any other is a
   * {@link CodecException}, as a {@code kind} is in JSON.
   *
   * @param kind the kind of an object as it is sent
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

  /** Returns an object as bytes. */
  byte[] write(T object);

  /**
   * Reads the one object that a stream holds.
   *
   * @param context what the objects read with it share
   * @throws CodecException if it holds no such object
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  T read(InputStream in, DecodeContext context);

  /**
   * Reads the one object that an array holds. By itself this reads the array as a stream, and so
   * needs a buffer that an encoding may spare.
   *
   * @param context what the objects read with it share
   * @throws CodecException if it holds no such object
   */
  default T read(byte[] object, DecodeContext context) {
    return read(new ByteArrayInputStream(object), context);
  }

  /**
   * Reads a list item by item, as the bytes arrive, and keeps none of them. An item that cannot be
   * decoded goes to {@link ListSink#undecodable}.
   *
   * @param context what the objects read with it share
   * @return what the list carries besides its items
   * @throws CodecException if the stream holds no list
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink);

  /**
   * Returns a decoder of the events of a watch. It reads nothing before it is asked for an event.
   *
   * @param context what the objects read with it share
   */
  Decoder<T> watch(InputStream in, DecodeContext context);
}
