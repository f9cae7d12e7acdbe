package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.watch.Decoder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The encoding of a type in protobuf.
 *
 * <p>An object is in an envelope: four bytes, then a message with its kind and its bytes. A list is
 * one object, of which the items are taken off the stream one by one.
 */
final class ProtobufSerializer<T> implements Serializer<T> {

  static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  /** The field of the envelope that holds the object. */
  private static final int RAW = 2;

  // The fields of all lists.
  private static final int METADATA = 1;
  private static final int ITEMS = 2;

  private final JsonCodec<T> codec;

  ProtobufSerializer(JsonCodec<T> codec) {
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
  public T read(InputStream in, DecodeContext context) {
    try {
      ProtobufInput envelope = new ProtobufInput(in, Long.MAX_VALUE);
      long length = open(envelope);
      byte[] bytes = envelope.bytes(length, null);
      return read(codec, bytes, (int) length, context);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Moves to the object in an envelope, and returns its length. */
  static long open(ProtobufInput envelope) throws IOException {
    envelope.readMagic();
    for (long length; (length = envelope.nextField()) >= 0; ) {
      if (envelope.number() == RAW) {
        return length;
      }
      envelope.skip(length);
    }
    throw ProtobufInput.malformed("the envelope is empty");
  }

  static <V> V read(JsonCodec<V> codec, byte[] bytes, int length, DecodeContext context) {
    return JsonReader.ofProtobuf(bytes, 0, length, context).nextObject(codec);
  }

  @Override
  public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
    try {
      ProtobufInput envelope = new ProtobufInput(new BufferedInputStream(in), Long.MAX_VALUE);
      return readItems(envelope.message(open(envelope)), context, sink);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ListMeta readItems(ProtobufInput list, DecodeContext context, ListSink<? super T> sink)
      throws IOException {
    ListMeta metadata = ListMeta.EMPTY;
    byte[] buffer = new byte[8 << 10];
    for (long length; (length = list.nextField()) >= 0; ) {
      if (list.number() != METADATA && list.number() != ITEMS) {
        list.skip(length);
        continue;
      }
      buffer = list.bytes(length, buffer);
      if (list.number() == METADATA) {
        metadata = read(ListMeta.CODEC, buffer, (int) length, context);
      } else {
        hand(buffer, (int) length, context, sink);
      }
    }
    return metadata;
  }

  private void hand(byte[] item, int length, DecodeContext context, ListSink<? super T> sink) {
    T object;
    try {
      object = read(codec, item, length, context);
    } catch (CodecException e) {
      // What follows is not harmed: the item says how long it is.
      sink.undecodable(e);
      return;
    }
    sink.accept(object);
  }

  @Override
  public Decoder<T> watch(InputStream in, DecodeContext context) {
    return new ProtobufWatchDecoder<>(new BufferedInputStream(in), codec, context);
  }
}
