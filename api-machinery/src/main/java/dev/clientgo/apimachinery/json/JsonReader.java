package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A pull reader of JSON: what codecs are written against, so that the parser beneath can change.
 *
 * <p>A reader walks a stream of values from left to right. At each value the caller asks for the
 * type it expects; if something else is there, {@link CodecException} says what, where in the
 * document, and at which byte. Such a {@linkplain CodecException#isRecoverable recoverable} error
 * leaves the reader inside the document; {@link #depth} and {@link #leave} get it out. They do also
 * where something is too large, too deep, or a string is not valid; such a thing cannot be passed
 * otherwise.
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
 * <p>When the stream fails, {@link java.io.UncheckedIOException} says how. When it ends within a
 * value, or what it holds is not JSON, the {@link CodecException} is not recoverable; its cause is
 * an {@link java.io.EOFException} in the first case.
 *
 * <p>Strings are pooled per {@link DecodeContext}: the same label key, image or node name is one
 * object in the heap however often the stream repeats it. A reader belongs to one thread.
 */
public abstract class JsonReader {

  /** What {@link #nextField} and {@link #nextName} give at the end of an object. */
  public static final int END = -1;

  /** Deeper nesting than this is refused; what holds it can still be skipped by {@link #leave}. */
  public static final int MAX_DEPTH = 500;

  /**
   * {@link #nextObject} and {@link #nextRaw} refuse values of more bytes, give or take a buffer,
   * which can still be skipped. A server stores none of a tenth of that size. Upstream has the same
   * bound for events of a watch.
   */
  public static final int MAX_OBJECT_BYTES = 16 << 20;

  /** What the next value is. */
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

  /** What stands for null in a list or map of values that are never null. */
  private static final List<String> NOTHING = List.of("null", "{}", "[]", "\"\"", "0", "false");

  private final Scratch scratch = new Scratch();

  JsonReader() {}

  /**
   * Returns a reader of the values in a stream. It reads no byte before it is asked for a value,
   * waits for none behind the value it is asked for, and does not close the stream.
   */
  public static JsonReader of(InputStream in, DecodeContext context) {
    return new Utf8Reader(new ByteWindow(in), context);
  }

  /** Returns a reader of the values in a byte array. */
  public static JsonReader of(byte[] json) {
    return of(json, DecodeContext.create());
  }

  /** Returns a reader of the values in a byte array that shares values with others. */
  public static JsonReader of(byte[] json, DecodeContext context) {
    return new Utf8Reader(new ByteWindow(json), context);
  }

  /**
   * Returns a reader of a message of protobuf, as if it were the JSON of the same object. It can
   * read types whose codecs know their {@linkplain FieldNames#protobuf form in protobuf}.
   */
  public static JsonReader ofProtobuf(byte[] message, int from, int to, DecodeContext context) {
    return new ProtobufReader(message, from, to, context);
  }

  /**
   * Returns the one value that a byte array holds.
   *
   * @throws CodecException if it holds no such value, or something behind it
   */
  public static <T> T fromBytes(JsonCodec<T> codec, byte[] json) {
    JsonReader in = of(json);
    T value = codec.read(in);
    if (in.peek() != Token.END_OF_STREAM) {
      throw in.mismatch("expected the end, found more JSON");
    }
    return value;
  }

  /** Returns what the next value is, without consuming it. Blocks until it is known. */
  public abstract Token peek();

  /** Enters an object. */
  public abstract void beginObject();

  /**
   * Moves to the next field of an object that is named in {@code names} and is not null, and skips
   * the others. At the end of the object, leaves it.
   *
   * @return the index of the field in {@code names}, or {@link #END}
   */
  public abstract int nextField(FieldNames names);

  /**
   * Moves to the next field of an object, whatever its name and value. At the end of the object,
   * leaves it.
   *
   * @return the name, or null at the end
   */
  public abstract @Nullable String nextName();

  /** Enters an array. */
  public abstract void beginArray();

  /** Returns whether the array has another element. At the end of the array, leaves it. */
  public abstract boolean nextElement();

  /** Returns whether the next value is null. */
  boolean isAtNull() {
    return peek() == Token.NULL;
  }

  /** Consumes the next value if it is null, and returns whether it was. */
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
   * Reads a value of any type as the bytes of its JSON text, as it was written but for white space.
   *
   * @throws CodecException if it has more than {@link #MAX_OBJECT_BYTES}
   */
  public abstract RawJson nextRaw();

  /**
   * Reads a value with a codec.
   *
   * <p>Parts of API objects repeat: tolerations, probes, resources. So an object whose text this
   * codec has read before, in a stream of the same {@link DecodeContext}, may give the same value
   * again, and {@link #nextList} the same list. What the codec reads must be immutable, and depend
   * on nothing but the text.
   */
  public abstract <T> T nextValue(JsonCodec<T> codec);

  /** Skips a value of any type. */
  public abstract void skip();

  /** Returns how many objects and arrays the reader is inside of. */
  public abstract int depth();

  /**
   * Leaves objects and arrays, skipping what is left in them, until the depth is the given one. A
   * value there that could not be read is skipped, too, if it is one that could not be skipped
   * otherwise.
   */
  public abstract void leave(int depth);

  /** Returns the RFC 6901 pointer to where the reader is. */
  public abstract String path();

  /** Returns how many bytes of the stream have been consumed. */
  public abstract long offset();

  /** Returns what this stream shares between its values. */
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
   * Reads an array of values that a codec knows. A null element is read as upstream does: as an
   * empty object or array, an empty string, zero or false, unless the codec takes null.
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

  /** Reads an object whose values a codec knows; null as {@link #nextList} does. */
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
        // So it is none of these. There are lists and maps of little else than objects.
      }
    }
    return codec.read(this);
  }

  /**
   * Reads a value of any type as a tree of unmodifiable maps and lists, strings, booleans and
   * numbers as {@link #nextNumber} gives them; null for null.
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
   * Reads an object with a codec, and hands each of its own fields that the codec does not know to
   * {@code rest} as {@link #nextTree} gives it, instead of skipping it.
   */
  public abstract <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest);

  /**
   * Reads an object of the API. If it cannot be decoded, the error names it by its kind and
   * metadata, as far as they can be made out. Unless it is not JSON, the error is recoverable and
   * the reader is behind the object, so that the caller can go on with what follows.
   *
   * @throws CodecException if it cannot be decoded, or has more than {@link #MAX_OBJECT_BYTES}
   */
  public abstract <T> T nextObject(JsonCodec<T> codec);

  /** Returns the error for a value that is well-formed JSON but not what was expected here. */
  public abstract CodecException mismatch(String problem);
}
