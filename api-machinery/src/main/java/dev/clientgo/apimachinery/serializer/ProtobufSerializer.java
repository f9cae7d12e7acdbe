package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.watch.Decoder;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a type in protobuf.
 *
 * <p>An object is in an envelope: four bytes, then a message with its kind and its bytes. A list is
 * one object; this class reads its items from the stream one by one.
 */
final class ProtobufSerializer<T> implements Serializer<T> {

  static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  // The fields of all lists.
  private static final int METADATA = 1;
  private static final int ITEMS = 2;

  private static final String LIST = "List";

  private final @Nullable GroupVersionKind kind;
  private final JsonCodec<T> codec;

  ProtobufSerializer(@Nullable GroupVersionKind kind, JsonCodec<T> codec) {
    this.kind = kind;
    this.codec = requireNonNull(codec, "codec");
  }

  @Override
  public String mediaType() {
    return MEDIA_TYPE;
  }

  @Override
  public boolean canWrite() {
    return false;
  }

  @Override
  public byte[] write(T object) {
    throw new UnsupportedOperationException("objects are sent in JSON");
  }

  @Override
  public Serializer<T> project(Projection projection) {
    return new ProtobufSerializer<>(kind, JsonCodecs.project(codec, projection));
  }

  @Override
  public T read(InputStream in, DecodeContext context) {
    return read(new ProtobufInput(in), context);
  }

  @Override
  public T read(byte[] object, DecodeContext context) {
    return read(new ProtobufInput(object, 0, object.length), context);
  }

  private T read(ProtobufInput input, DecodeContext context) {
    try {
      ProtobufEnvelope envelope = ProtobufEnvelope.open(input);
      envelope.expect(kind, "");
      return take(input, envelope.length(), context, codec, envelope.kind());
    } catch (EOFException e) {
      // As in JSON: the connection has not broken, so the server sent too few bytes.
      throw CodecException.malformed(String.valueOf(e.getMessage()), "", -1, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads an object of this length from the stream. */
  private static <V> V take(
      ProtobufInput in, long length, DecodeContext context, JsonCodec<V> codec, String kind)
      throws IOException {
    if (length > JsonReader.MAX_OBJECT_BYTES) {
      in.skip(length);
      throw tooLarge(length);
    }
    int from = in.take((int) length);
    return read(codec, in.bytes(), from, from + (int) length, context, kind);
  }

  /** Reads an object. The kind is for error messages. */
  static <V> V read(
      JsonCodec<V> codec, byte[] bytes, int from, int to, DecodeContext context, String kind) {
    try {
      return JsonReader.ofProtobuf(bytes, from, to, context).nextObject(codec);
    } catch (CodecException e) {
      throw kind.isEmpty() ? e : e.inObject(kind, e.objectName());
    }
  }

  static CodecException tooLarge(long length) {
    return CodecException.mismatch(
        "an object of " + length + " bytes, more than " + JsonReader.MAX_OBJECT_BYTES,
        "",
        -1,
        null);
  }

  @Override
  public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
    context.startStream();
    try {
      ProtobufInput list = new ProtobufInput(in);
      ProtobufEnvelope envelope = ProtobufEnvelope.open(list);
      envelope.expect(kind, LIST);
      list.enter(envelope.length());
      return readItems(list, itemKind(envelope.kind()), context, sink);
    } catch (EOFException e) {
      // As in JSON: the connection has not broken, so the server sent too few bytes.
      throw CodecException.malformed(String.valueOf(e.getMessage()), "", -1, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String itemKind(String kind) {
    if (!kind.isEmpty() && !kind.endsWith(LIST)) {
      throw ProtobufInput.malformed("expected a list, found a " + kind);
    }
    return kind.isEmpty() ? "" : kind.substring(0, kind.length() - LIST.length());
  }

  private ListMeta readItems(
      ProtobufInput list, String kind, DecodeContext context, ListSink<? super T> sink)
      throws IOException {
    ListMeta metadata = ListMeta.EMPTY;
    for (long length; (length = list.nextField()) >= 0; ) {
      switch (list.number()) {
        case METADATA -> metadata = take(list, length, context, ListMeta.CODEC, kind + LIST);
        case ITEMS -> readItem(list, length, kind, context, sink);
        default -> list.skip(length);
      }
    }
    list.requireEnd();
    return metadata;
  }

  private void readItem(
      ProtobufInput list, long length, String kind, DecodeContext context, ListSink<? super T> sink)
      throws IOException {
    T object;
    try {
      object = take(list, length, context, codec, kind);
    } catch (CodecException e) {
      // The length of the item is known, so the next item can be read.
      sink.undecodable(e);
      return;
    }
    sink.accept(object);
  }

  @Override
  public Decoder<T> watch(InputStream in, DecodeContext context) {
    return new ProtobufWatchDecoder<>(in, kind, codec, context);
  }
}
