package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a watch in protobuf. Each is a length in four bytes and a message with the
 * type of the event and the object in its envelope.
 *
 * <p>An event that cannot be read becomes {@link WatchEvent.Failed}. Its length is known, so the
 * next event can be read. Corresponds to apimachinery's {@code framer.lengthDelimitedFrameReader}
 * and {@code versioned.Decoder}.
 */
final class ProtobufWatchDecoder<T> implements Decoder<T> {

  private static final GroupVersionKind STATUS = new GroupVersionKind("", "v1", "Status");
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final ProtobufInput in;
  private final @Nullable GroupVersionKind kind;
  private final JsonCodec<T> codec;
  private final DecodeContext context;

  ProtobufWatchDecoder(
      InputStream in, @Nullable GroupVersionKind kind, JsonCodec<T> codec, DecodeContext context) {
    this.in = new ProtobufInput(in);
    this.kind = kind;
    this.codec = codec;
    this.context = context;
    context.startStream();
  }

  @Override
  public Optional<WatchEvent<T>> next() throws IOException {
    if (!in.hasMore()) {
      return Optional.empty();
    }
    long length = in.readFour();
    if (length > JsonReader.MAX_OBJECT_BYTES) {
      in.skip(length);
      return Optional.of(new WatchEvent.Failed<>(ProtobufSerializer.tooLarge(length)));
    }
    int from = in.take((int) length);
    return Optional.of(event(in.bytes(), from, from + (int) length));
  }

  private WatchEvent<T> event(byte[] bytes, int from, int to) throws IOException {
    try {
      ProtobufInput event = new ProtobufInput(bytes, from, to);
      String type = "";
      for (long size; (size = event.nextField()) >= 0; ) {
        int at = event.take((int) size);
        if (event.number() == 1) {
          type = new String(bytes, at, (int) size, UTF_8);
        } else if (event.number() == 2) {
          return event(type, bytes, at, at + (int) size);
        }
      }
      throw ProtobufInput.malformed("watch event of type " + type + " without object");
    } catch (CodecException e) {
      return new WatchEvent.Failed<>(e);
    }
  }

  /** Reads an object, which has two envelopes. */
  private WatchEvent<T> event(String type, byte[] bytes, int from, int to) throws IOException {
    ProtobufInput raw = new ProtobufInput(bytes, from, to);
    for (long size; (size = raw.nextField()) >= 0; ) {
      if (raw.number() == 1) {
        raw.enter(size);
        ProtobufEnvelope envelope = ProtobufEnvelope.open(raw);
        int length = (int) envelope.length();
        return event(type, new Part(raw.take(length), length, envelope));
      }
      raw.skip(size);
    }
    throw ProtobufInput.malformed("watch event without object");
  }

  private WatchEvent<T> event(String type, Part object) throws IOException {
    return switch (type) {
      case "ADDED" -> new WatchEvent.Added<>(read(object));
      case "MODIFIED" -> new WatchEvent.Modified<>(read(object));
      case "DELETED" -> deleted(object);
      case "BOOKMARK" -> bookmark(object);
      case "ERROR" -> new WatchEvent.Failed<>(error(object));
      default -> throw ProtobufInput.malformed("watch event of unknown type " + type);
    };
  }

  private WatchEvent<T> deleted(Part object) {
    try {
      return new WatchEvent.Deleted<>(context.readDeleted(() -> read(object)));
    } catch (CodecException e) {
      throw e.inDeleted();
    }
  }

  private ApiStatusException error(Part object) {
    try {
      object.envelope().expect(STATUS, "");
      return new ApiStatusException(read(Status.CODEC, object));
    } catch (CodecException e) {
      return ApiStatusException.internalError("the watch sent an error that is no Status");
    }
  }

  private T read(Part object) {
    object.envelope().expect(kind, "");
    return read(codec, object);
  }

  private <V> V read(JsonCodec<V> codec, Part part) {
    int to = part.from() + part.length();
    return ProtobufSerializer.read(
        codec, in.bytes(), part.from(), to, context, part.envelope().kind());
  }

  /** Reads the metadata of an object of any kind, which is its first field. */
  private WatchEvent<T> bookmark(Part object) throws IOException {
    context.sweep();
    ProtobufInput message =
        new ProtobufInput(in.bytes(), object.from(), object.from() + object.length());
    for (long size; (size = message.nextField()) >= 0; ) {
      int at = message.take((int) size);
      if (message.number() == 1) {
        ObjectMeta metadata = read(ObjectMeta.CODEC, new Part(at, (int) size, object.envelope()));
        String version = metadata.resourceVersion();
        if (version != null) {
          return new WatchEvent.Bookmark<>(
              version, metadata.annotation(INITIAL_EVENTS_END).filter("true"::equals).isPresent());
        }
      }
    }
    throw ProtobufInput.malformed("bookmark without resourceVersion");
  }

  /** A message in the window, with the envelope of the object that it is or belongs to. */
  private record Part(int from, int length, ProtobufEnvelope envelope) {}
}
