package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Status;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Takes the events of a watch in protobuf off a stream: each is a length in four bytes and a
 * message with the type of the event and the object in its envelope.
 */
final class ProtobufWatchDecoder<T> implements Decoder<T> {

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final InputStream in;
  private final JsonCodec<T> codec;
  private final DecodeContext context;
  private byte[] buffer = new byte[8 << 10];
  private boolean broken;

  ProtobufWatchDecoder(InputStream in, JsonCodec<T> codec, DecodeContext context) {
    this.in = in;
    this.codec = codec;
    this.context = context;
  }

  @Override
  public Optional<WatchEvent<T>> next() throws IOException {
    int first = broken ? -1 : in.read();
    if (first < 0) {
      return Optional.empty();
    }
    long length = first;
    for (int i = 0; i < 3; i++) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the watch ended within an event");
      }
      length = length << 8 | next;
    }
    try {
      ProtobufInput frame = new ProtobufInput(in, length);
      buffer = frame.bytes(length, buffer);
    } catch (CodecException e) {
      broken = true;
      return Optional.of(new WatchEvent.Failed<>(e));
    }
    return Optional.of(event((int) length));
  }

  private WatchEvent<T> event(int length) throws IOException {
    try {
      ProtobufInput event = input(buffer, length);
      String type = "";
      for (long size; (size = event.nextField()) >= 0; ) {
        byte[] field = event.bytes(size, null);
        if (event.number() == 1) {
          type = new String(field, UTF_8);
        } else if (event.number() == 2) {
          return event(type, object(field));
        }
      }
      throw ProtobufInput.malformed("watch event of type " + type + " without object");
    } catch (CodecException e) {
      return new WatchEvent.Failed<>(e);
    }
  }

  private static ProtobufInput input(byte[] bytes, int length) {
    return new ProtobufInput(new ByteArrayInputStream(bytes, 0, length), length);
  }

  /** Takes an object out of the two envelopes it is in. */
  private static byte[] object(byte[] extension) throws IOException {
    ProtobufInput raw = input(extension, extension.length);
    for (long size; (size = raw.nextField()) >= 0; ) {
      if (raw.number() == 1) {
        ProtobufInput envelope = raw.message(size);
        return envelope.bytes(ProtobufSerializer.open(envelope), null);
      }
      raw.skip(size);
    }
    throw ProtobufInput.malformed("watch event without object");
  }

  private WatchEvent<T> event(String type, byte[] object) throws IOException {
    return switch (type) {
      case "ADDED" -> new WatchEvent.Added<>(read(codec, object));
      case "MODIFIED" -> new WatchEvent.Modified<>(read(codec, object));
      case "DELETED" -> new WatchEvent.Deleted<>(read(codec, object));
      case "BOOKMARK" -> bookmark(object);
      case "ERROR" -> new WatchEvent.Failed<>(new ApiStatusException(read(Status.CODEC, object)));
      default -> throw ProtobufInput.malformed("watch event of unknown type " + type);
    };
  }

  private <V> V read(JsonCodec<V> codec, byte[] object) {
    return ProtobufSerializer.read(codec, object, object.length, context);
  }

  /** Reads the metadata of an object of any kind, which is its first field. */
  private WatchEvent<T> bookmark(byte[] object) throws IOException {
    ProtobufInput message = input(object, object.length);
    for (long size; (size = message.nextField()) >= 0; ) {
      byte[] field = message.bytes(size, null);
      if (message.number() == 1) {
        ObjectMeta metadata = read(ObjectMeta.CODEC, field);
        Map<String, String> annotations = metadata.annotations();
        String version = metadata.resourceVersion();
        if (version != null) {
          return new WatchEvent.Bookmark<>(
              version, annotations != null && "true".equals(annotations.get(INITIAL_EVENTS_END)));
        }
      }
    }
    throw ProtobufInput.malformed("bookmark without resourceVersion");
  }
}
