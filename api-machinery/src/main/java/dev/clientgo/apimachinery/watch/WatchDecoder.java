package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a stream of watch events in JSON.
 *
 * <p>A stream is a sequence of values, each {@code {"type": …, "object": …}}. Line breaks and the
 * sizes of network packets have no meaning. The decoder returns an event as soon as its last byte
 * has arrived.
 *
 * <p>An event that cannot be decoded is returned as {@link WatchEvent.Failed}. With a recoverable
 * {@link CodecException}, only one object or event is affected, such as an object of another kind,
 * a {@code Table}, or an object of more than {@link JsonReader#MAX_OBJECT_BYTES}; the decoder reads
 * on. With any other exception, the stream is not JSON, and the event is the last. If the watch
 * itself fails, for example because the resourceVersion is too old, the server sends a {@link
 * Status}, which becomes an {@link ApiStatusException}.
 *
 * <p>Not safe for use by many threads. Corresponds to client-go's {@code watch.StreamWatcher} and
 * {@code rest/watch.Decoder}.
 *
 * @param <T> the type of the objects watched
 */
public final class WatchDecoder<T> implements Decoder<T> {

  /** The annotation of the bookmark that ends the initial events of a streaming list. */
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private static final FieldNames FIELDS = FieldNames.of("type", "object");
  private static final JsonCodec<ObjectMeta> METADATA = new MetadataCodec();
  private static final FieldNames TYPE_META = FieldNames.of("apiVersion", "kind");

  private final JsonReader in;
  private final JsonCodec<T> codec;
  private boolean ended;

  private WatchDecoder(JsonReader in, JsonCodec<T> codec) {
    this.in = in;
    this.codec = requireNonNull(codec, "codec");
  }

  /** Returns a decoder of the events in a stream of JSON. */
  public static <T> WatchDecoder<T> json(
      InputStream in, JsonCodec<T> codec, DecodeContext context) {
    return of(JsonReader.of(in, context), codec);
  }

  /** Returns a decoder of the events in the stream of a reader, which has read nothing of it. */
  public static <T> WatchDecoder<T> of(JsonReader in, JsonCodec<T> codec) {
    in.context().startStream();
    return new WatchDecoder<>(in, codec);
  }

  /**
   * Waits for the next event.
   *
   * @return the event; empty if the stream has ended between two events, as streams regularly do,
   *     or after an error that made the rest of the stream unreadable
   * @throws IOException if the connection breaks; {@link EOFException} if the stream ends within an
   *     event, whose object the message names
   */
  @Override
  public Optional<WatchEvent<T>> next() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    try {
      if (in.peek() == JsonReader.Token.END_OF_STREAM) {
        ended = true;
        return Optional.empty();
      }
      return Optional.of(readOrSkipEvent());
    } catch (UncheckedIOException e) {
      ended = true;
      throw e.getCause();
    } catch (CodecException e) {
      ended = true;
      if (e.getCause() instanceof EOFException) {
        EOFException end = new EOFException(e.getMessage());
        end.initCause(e);
        throw end;
      }
      return Optional.of(new WatchEvent.Failed<>(e));
    }
  }

  private WatchEvent<T> readOrSkipEvent() {
    try {
      return readEvent();
    } catch (CodecException e) {
      if (!e.isRecoverable()) {
        throw e;
      }
      in.leave(0);
      return new WatchEvent.Failed<>(e);
    }
  }

  private WatchEvent<T> readEvent() {
    requireObject();
    String type = null;
    RawJson early = null;
    WatchEvent<T> event = null;
    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      switch (field) {
        case 0 -> type = in.nextString();
        case 1 -> {
          if (type == null) {
            early = in.nextObject(RawJson.CODEC);
          } else {
            event = readObject(type, in);
          }
        }
        default -> throw new AssertionError(field);
      }
    }
    if (event == null && type != null && early != null) {
      event = readObject(type, early.reader(in.context()));
    }
    return requireComplete(type, event);
  }

  private void requireObject() {
    JsonReader.Token token = in.peek();
    if (token != JsonReader.Token.OBJECT) {
      CodecException error = in.mismatch("expected a watch event, found " + token.description());
      in.skip();
      throw error;
    }
  }

  private WatchEvent<T> requireComplete(@Nullable String type, @Nullable WatchEvent<T> event) {
    if (type == null) {
      throw in.mismatch("watch event without type");
    }
    if (event == null) {
      throw in.mismatch("watch event of type " + type + " without object");
    }
    return event;
  }

  private WatchEvent<T> readObject(String type, JsonReader in) {
    return switch (type) {
      case "ADDED" -> new WatchEvent.Added<>(in.nextObject(codec));
      case "MODIFIED" -> new WatchEvent.Modified<>(in.nextObject(codec));
      case "DELETED" -> readDeleted(in);
      case "BOOKMARK" -> readBookmark(in);
      case "ERROR" -> new WatchEvent.Failed<>(readError(in));
      default -> throw in.mismatch("watch event of unknown type " + type);
    };
  }

  private WatchEvent<T> readDeleted(JsonReader in) {
    try {
      return new WatchEvent.Deleted<>(in.context().readDeleted(() -> in.nextObject(codec)));
    } catch (CodecException e) {
      throw e.inDeleted();
    }
  }

  private WatchEvent<T> readBookmark(JsonReader in) {
    in.context().sweep();
    ObjectMeta metadata = in.nextObject(METADATA);
    String resourceVersion = metadata.resourceVersion();
    if (resourceVersion == null) {
      throw in.mismatch("bookmark without resourceVersion");
    }
    return new WatchEvent.Bookmark<>(
        resourceVersion,
        metadata.annotation(INITIAL_EVENTS_END).filter("true"::equals).isPresent());
  }

  private static ApiStatusException readError(JsonReader in) {
    RawJson object = in.nextRaw();
    try {
      if (isStatus(object.reader())) {
        return new ApiStatusException(Status.CODEC.read(object.reader()));
      }
    } catch (CodecException e) {
      // The kind is Status, but the object is not a valid one.
    }
    return ApiStatusException.internalError("the watch sent an error that is no Status");
  }

  private static boolean isStatus(JsonReader in) {
    String apiVersion = "";
    String kind = "";
    in.beginObject();
    for (int field; (field = in.nextField(TYPE_META)) != JsonReader.END; ) {
      switch (field) {
        case 0 -> apiVersion = in.nextString();
        case 1 -> kind = in.nextString();
        default -> throw new AssertionError(field);
      }
    }
    return kind.equals("Status")
        && (apiVersion.equals("v1") || apiVersion.equals("meta.k8s.io/v1"));
  }

  /** Reads the metadata of an object, whatever else it has. */
  private static final class MetadataCodec implements JsonCodec<ObjectMeta> {

    private static final FieldNames FIELDS = FieldNames.of("metadata");

    @Override
    public ObjectMeta read(JsonReader in) {
      ObjectMeta metadata = ObjectMeta.EMPTY;
      in.beginObject();
      while (in.nextField(FIELDS) != JsonReader.END) {
        metadata = ObjectMeta.CODEC.read(in);
      }
      return metadata;
    }

    @Override
    public void write(JsonWriter out, ObjectMeta value) {
      throw new UnsupportedOperationException();
    }
  }
}
