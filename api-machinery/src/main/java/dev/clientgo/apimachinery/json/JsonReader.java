package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.collections.Scratch;
import dev.clientgo.apimachinery.json.internal.projection.ProjectionCursor;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A pull reader of JSON. Codecs use this class, so the parser beneath can change.
 *
 * <p>A reader walks a stream of values from left to right. At each value the caller asks for the
 * type it expects. If the value has another type, a {@link CodecException} names the types, the
 * place in the document and the byte. Such a {@linkplain CodecException#isRecoverable recoverable}
 * error leaves the reader inside the document; {@link #depth} and {@link #leave} move it out. They
 * are also the only way past a value that is too large, too deep or not UTF-8.
 *
 * <pre>{@code
 * in.beginObject();
 * for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
 *   switch (field) {
 *     case NAME -> name = in.nextString();
 *     case PORTS -> ports = in.nextList(ContainerPort.CODEC);
 *     default -> throw new AssertionError(field);
 *   }
 * }
 * }</pre>
 *
 * <p>A value that the caller does not read is skipped by the next {@code nextField}, {@code
 * nextName} or {@code nextElement}.
 *
 * <p>If the stream fails, the reader throws an {@link java.io.UncheckedIOException}. If the stream
 * ends within a value or is not JSON, the {@link CodecException} is not recoverable; in the first
 * case its cause is an {@link java.io.EOFException}.
 *
 * <p>A {@link DecodeContext} pools strings: a label key, image or node name is in the heap once,
 * however often the stream repeats it. A reader belongs to one thread.
 */
public abstract class JsonReader {

  /** The result of {@link #nextField} at the end of an object. */
  public static final int END = -1;

  /** The deepest nesting that can be read; {@link #leave} can skip a deeper value. */
  public static final int MAX_DEPTH = 500;

  /**
   * The size of the largest value that {@link #nextObject} and {@link #nextRaw} read, give or take
   * a buffer; a larger value can still be skipped. A server stores no object of a tenth of that
   * size. Upstream has the same bound for events of a watch.
   */
  public static final int MAX_OBJECT_BYTES = ByteWindow.MAX_OBJECT_BYTES;

  /** The type of a value. */
  public enum Token {
    /** An object. */
    OBJECT("an object"),
    /** An array. */
    ARRAY("an array"),
    /** A string. */
    STRING("a string"),
    /** A number. */
    NUMBER("a number"),
    /** True or false. */
    BOOLEAN("a boolean"),
    /** Null. */
    NULL("null"),
    /** The end of the stream; only between values at the top. */
    END_OF_STREAM("the end of the stream");

    private final String description;

    Token(String description) {
      this.description = description;
    }

    /** Returns the type as a message names it, such as {@code an object}. */
    public String description() {
      return description;
    }
  }

  /** The values that upstream reads for a null in a list or map whose values are never null. */
  private static final List<String> NOTHING = List.of("null", "{}", "[]", "\"\"", "0", "false");

  private final Scratch scratch = new Scratch();

  /** The fields that are left out of the current object. */
  final ProjectionCursor cut = new ProjectionCursor();

  private @Nullable Projection projection;

  /** The depth of the fields of the object that the projection cuts. */
  private int projectedDepth = -1;

  JsonReader() {}

  /**
   * Returns a reader of the values in a stream. It reads no byte before the caller asks for a
   * value, does not wait for bytes behind that value, and does not close the stream.
   */
  public static JsonReader of(InputStream in, DecodeContext context) {
    return new Utf8Reader(new ByteWindow(in), context);
  }

  /** Returns a reader of the values in a byte array. */
  public static JsonReader of(byte[] json) {
    return of(json, DecodeContext.create());
  }

  /** Returns a reader of the values in a byte array that shares values with other readers. */
  public static JsonReader of(byte[] json, DecodeContext context) {
    return new Utf8Reader(new ByteWindow(json), context);
  }

  /**
   * Returns a reader of a message of protobuf, which returns the same values as a reader of the
   * object's JSON. The codec must know its type's {@linkplain FieldNames#protobuf form in
   * protobuf}.
   */
  public static JsonReader ofProtobuf(byte[] message, int from, int to, DecodeContext context) {
    return new ProtobufReader(message, from, to, context);
  }

  /**
   * Returns the only value in a byte array.
   *
   * @throws CodecException if the array holds no such value, or anything behind it
   */
  public static <T> T fromBytes(JsonCodec<T> codec, byte[] json) {
    JsonReader in = of(json);
    T value = codec.read(in);
    if (in.peek() != Token.END_OF_STREAM) {
      throw in.mismatch("expected the end, found more JSON");
    }
    return value;
  }

  /** Returns the type of the next value without consuming it. Blocks until it is known. */
  public abstract Token peek();

  /** Enters an object. */
  public abstract void beginObject();

  /**
   * Moves to the next field that is in {@code names} and is not null, and skips other fields. At
   * the end of the object, leaves the object.
   *
   * @return the index of the field in {@code names}, or {@link #END}
   */
  public abstract int nextField(FieldNames names);

  /**
   * Moves to the next field of an object, whatever its name and value. At the end of the object,
   * leaves the object.
   *
   * @return the name, or null at the end
   */
  public abstract @Nullable String nextName();

  /** Enters an array. */
  public abstract void beginArray();

  /** Returns whether the array has another element. At the end of the array, leaves the array. */
  public abstract boolean nextElement();

  /** Returns whether the next value is null. */
  boolean isAtNull() {
    return peek() == Token.NULL;
  }

  /** Consumes the next value if it is null, and returns whether it was null. */
  public abstract boolean nextNull();

  /** Reads a string. */
  public abstract String nextString();

  /** Reads true or false. */
  public abstract boolean nextBoolean();

  /** Reads a whole number of 32 bits. */
  public abstract int nextInt();

  /** Reads a whole number of 64 bits. */
  public abstract long nextLong();

  /** Reads a number as the nearest double. */
  public abstract double nextDouble();

  /**
   * Reads a number without loss: a {@link Long} if it is whole and fits, else a {@link Double} if
   * that is exact, else a {@link java.math.BigDecimal}.
   */
  public abstract Number nextNumber();

  /**
   * Reads a value of any type as the bytes of its JSON text, without white space.
   *
   * @throws CodecException if the text has more than {@link #MAX_OBJECT_BYTES}
   */
  public abstract RawJson nextRaw();

  /**
   * Reads a value with a codec.
   *
   * <p>Parts of API objects repeat: tolerations, probes, resources. If this codec has read the same
   * text before, in a stream of the same {@link DecodeContext}, the result may be the same value;
   * {@link #nextList} may return the same list. So the codec's values must be immutable and depend
   * only on the text.
   */
  public abstract <T> T nextValue(JsonCodec<T> codec);

  /** Skips a value of any type. */
  public abstract void skip();

  /** Returns the number of objects and arrays around the reader. */
  public abstract int depth();

  /**
   * Leaves objects and arrays, and skips the rest of them, until the reader is at the given depth.
   * If the reader is at a value that is too large, too deep or not UTF-8, it skips that value too.
   */
  public abstract void leave(int depth);

  /** Returns the position of the reader in the document, as a pointer of RFC 6901. */
  public abstract String path();

  /** Returns the number of bytes of the stream that have been consumed. */
  public abstract long offset();

  /** Returns the context that holds the shared values of this stream. */
  public abstract DecodeContext context();

  /** Reads a string map; a null value is read as the empty string, as upstream does. */
  public final Map<String, String> nextStringMap() {
    beginObject();
    int from = scratch.top();
    try {
      for (String name; (name = nextName()) != null; ) {
        scratch.push(name);
        scratch.push(nextNull() ? "" : nextString());
      }
      return scratch.map(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  /** Reads an array of strings; a null element is read as the empty string, as upstream does. */
  public final List<String> nextStringList() {
    beginArray();
    int from = scratch.top();
    try {
      while (nextElement()) {
        scratch.push(nextNull() ? "" : nextString());
      }
      return scratch.list(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  /**
   * Reads an array, each element with a codec. Reads a null element as upstream does: as an empty
   * object or array, an empty string, zero or false, unless the codec accepts null.
   */
  public abstract <T> List<T> nextList(JsonCodec<T> codec);

  final <T> List<T> readList(JsonCodec<T> codec) {
    beginArray();
    int from = scratch.top();
    try {
      while (nextElement()) {
        scratch.push(nextElementOrNothing(codec));
      }
      return scratch.list(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  /** Reads an object, each value with a codec; reads null as {@link #nextList} does. */
  public final <T> Map<String, T> nextMap(JsonCodec<T> codec) {
    beginObject();
    int from = scratch.top();
    try {
      for (String name; (name = nextName()) != null; ) {
        scratch.push(name);
        scratch.push(nextElementOrNothing(codec));
      }
      return scratch.map(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  private <T> T nextElementOrNothing(JsonCodec<T> codec) {
    return isAtNull() ? nextNothing(codec) : nextValue(codec);
  }

  private <T> T nextNothing(JsonCodec<T> codec) {
    for (String nothing : NOTHING) {
      try {
        T value = codec.read(of(nothing.getBytes(UTF_8), context()));
        skip();
        return value;
      } catch (CodecException e) {
        // The codec reads another type: try the next form.
      }
    }
    return codec.read(this);
  }

  /**
   * Reads a value of any type as a tree of unmodifiable maps and lists, strings, booleans and
   * numbers as {@link #nextNumber} returns them; null for null.
   */
  public final @Nullable Object nextTree() {
    return switch (peek()) {
      case OBJECT -> nextTreeMap();
      case ARRAY -> nextTreeList();
      case STRING, END_OF_STREAM -> nextString();
      case NUMBER -> nextNumber();
      case BOOLEAN -> nextBoolean();
      case NULL -> {
        skip();
        yield null;
      }
    };
  }

  private Map<String, @Nullable Object> nextTreeMap() {
    beginObject();
    int from = scratch.top();
    try {
      for (String name; (name = nextName()) != null; ) {
        scratch.push(name);
        scratch.push(nextTree());
      }
      return scratch.map(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  private List<@Nullable Object> nextTreeList() {
    beginArray();
    int from = scratch.top();
    try {
      while (nextElement()) {
        scratch.push(nextTree());
      }
      return scratch.list(from);
    } finally {
      scratch.dropTo(from);
    }
  }

  /**
   * Reads an object with a codec, and passes the fields that the codec does not know to {@code
   * rest}, each as {@link #nextTree} returns it. Unknown fields of nested objects are skipped.
   */
  public abstract <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest);

  /**
   * Reads an object of the API. If it cannot be decoded, the error names its kind, namespace and
   * name if they can be found. Unless the text is not JSON, the error is recoverable and the reader
   * is behind the object, so the caller can read on.
   *
   * @throws CodecException if the object cannot be decoded, or has more than {@link
   *     #MAX_OBJECT_BYTES}
   */
  public abstract <T> T nextObject(JsonCodec<T> codec);

  /** Reads an object with a codec, which gets only the fields that a projection keeps. */
  final <T> T nextProjected(JsonCodec<T> codec, Projection projection) {
    this.projection = projection;
    projectedDepth = depth() + 1;
    cut.begin(projectedDepth, projection.fields());
    try {
      return codec.read(this);
    } finally {
      cut.end();
      projectedDepth = -1;
    }
  }

  /**
   * Returns the projection that cuts the object to which the reader's current field belongs; null
   * if the object is read whole, or is only a part of the object that is cut.
   */
  public final @Nullable Projection projection() {
    return depth() == projectedDepth ? projection : null;
  }

  /** Returns the error for a value that is well-formed JSON but not of the expected type. */
  public abstract CodecException mismatch(String problem);
}
