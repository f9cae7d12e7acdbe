package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.Nesting;
import dev.clientgo.apimachinery.json.internal.utf8.ReaderErrors;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the values in a stream. It reads whole values, and moves behind those that cannot be
 * decoded; its subclasses know an encoding.
 *
 * <p>{@link ByteWindow} holds the bytes, {@link Nesting} the objects and arrays around the
 * position, and {@link ReaderErrors} creates the errors.
 */
abstract class StreamReader extends JsonReader {

  /** Reads and writes values of any type but null as trees. */
  static final JsonCodec<Object> TREE =
      new JsonCodec<>() {
        @Override
        public Object read(JsonReader in) {
          return requireNonNull(in.nextTree(), "null");
        }

        @Override
        public void write(JsonWriter out, Object value) {
          out.tree(value);
        }
      };

  private static final int NOWHERE = -1;

  final ByteWindow in;
  final DecodeContext context;
  final Nesting nesting = new Nesting();
  final ReaderErrors errors;

  /** Whether the position is at a value that has not been read. */
  boolean pending;

  /** The offset of the last value. */
  long valueOffset;

  /** The depth at which unknown fields go to {@link #rest} instead of being skipped. */
  private int restDepth = NOWHERE;

  private BiConsumer<String, @Nullable Object> rest = (name, value) -> {};

  StreamReader(ByteWindow in, DecodeContext context) {
    this.in = in;
    this.context = requireNonNull(context, "context");
    this.errors = new ReaderErrors(in, nesting);
  }

  /** Throws unless the next value has this type; null allows any type. */
  abstract void require(@Nullable Token token, String expected);

  /** Returns whether the position is at an object or array that has not been read. */
  abstract boolean isStructure();

  /** Skips the value at the position, unless it has been read. */
  abstract void skipUnread();

  /** Returns a reader of an object of which perhaps only the beginning is known. */
  abstract JsonReader beginningOf(byte[] object);

  // ------------------------------------------------------------------------------------ Numbers

  @Override
  public final int nextInt() {
    String expected = "a whole number of 32 bits";
    long value = whole(expected);
    if (value != (int) value) {
      throw mismatch("expected " + expected + ", found " + value);
    }
    takeNumber();
    return (int) value;
  }

  @Override
  public final long nextLong() {
    long value = whole("a whole number of 64 bits");
    takeNumber();
    return value;
  }

  /**
   * Returns the whole number of 64 bits that is the next value, which stays.
   *
   * @param expected names what is needed, for the error
   */
  abstract long whole(String expected);

  /** Moves behind the number that {@link #whole} has read. */
  abstract void takeNumber();

  // -------------------------------------------------------------------------------- Whole values

  @Override
  public final <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest) {
    int outerDepth = restDepth;
    BiConsumer<String, @Nullable Object> outer = this.rest;
    this.restDepth = nesting.depth() + 1;
    this.rest = rest;
    try {
      return codec.read(this);
    } finally {
      this.restDepth = outerDepth;
      this.rest = outer;
    }
  }

  /** Returns whether the projection, if there is one, keeps the next field of this object. */
  final boolean isKept(String name) {
    return !cut.isAt(nesting.depth()) || cut.keeps(nesting.depth(), name);
  }

  /** Returns whether the fields at this depth that the codec does not know are kept. */
  final boolean isRest() {
    return nesting.depth() == restDepth;
  }

  /** Reads a field that the codec does not know, such as the spec of an object of any type. */
  final void readRest(String name) {
    rest.accept(name, isStructure() ? nextValue(TREE) : nextTree());
  }

  @Override
  public final <T> T nextObject(JsonCodec<T> codec) {
    int outer = nesting.depth();
    require(null, "an object");
    long start = in.offset(in.position);
    boolean marked = in.mark();
    try {
      T value = read(codec);
      leave(outer);
      errors.checkSize();
      return value;
    } catch (CodecException e) {
      throw skipObject(e, outer, start);
    } finally {
      unmark(marked);
    }
  }

  /**
   * Moves behind an object that could not be decoded, if that is possible.
   *
   * @return the error, with the name of the object
   */
  private CodecException skipObject(CodecException error, int outer, long start) {
    FailedObject name = failedObject(start);
    CodecException obstacle = error;
    while (obstacle != null && obstacle.isRecoverable()) {
      obstacle = tryToLeave(outer);
      name = failedObject(start).orElse(name); // The name or the namespace can come later.
    }
    return name.addTo(obstacle == null ? error : obstacle);
  }

  private FailedObject failedObject(long start) {
    return FailedObject.in(beginningOf(in.from(start)));
  }

  private @Nullable CodecException tryToLeave(int outer) {
    try {
      leave(outer);
      skipUnread();
      return null;
    } catch (CodecException e) {
      return e;
    }
  }

  final void unmark(boolean marked) {
    if (marked) {
      in.unmark();
    }
  }

  /** Reads a value; turns any exception of a user's codec into a {@link CodecException}. */
  private <T> T read(JsonCodec<T> codec) {
    try {
      return codec.read(this);
    } catch (CodecException | UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      throw CodecException.mismatch("the value is refused: " + e.getMessage(), path(), offset(), e);
    }
  }

  // -------------------------------------------------------------------------- Position and errors

  @Override
  public final int depth() {
    return nesting.depth();
  }

  @Override
  public final String path() {
    return nesting.path();
  }

  @Override
  public final long offset() {
    return in.offset(in.position);
  }

  @Override
  public final DecodeContext context() {
    return context;
  }

  @Override
  public final CodecException mismatch(String problem) {
    if (pending) {
      valueOffset = offset();
    }
    return CodecException.mismatch(problem, path(), valueOffset, null);
  }

  /**
   * The kind and name of an object that could not be decoded, as far as they can be found.
   *
   * @param kind its kind, null if unknown
   * @param name {@code namespace/name} or {@code name}, null if unknown
   */
  private record FailedObject(@Nullable String kind, @Nullable String name) {

    private static final FieldNames OBJECT = FieldNames.of("kind", "metadata");
    private static final FieldNames METADATA = FieldNames.of("name", "namespace");

    /** Searches an object, or the beginning of one, for its kind and name. */
    static FailedObject in(JsonReader object) {
      Search search = new Search(object);
      try {
        search.readObject();
      } catch (CodecException e) {
        // The document is the one that failed; the search uses what it found before the error.
      }
      return search.found();
    }

    /** Returns this, or the other if this has no name. */
    FailedObject orElse(FailedObject other) {
      return name == null ? other : this;
    }

    CodecException addTo(CodecException error) {
      return kind == null && name == null ? error : error.inObject(kind, name);
    }

    private static final class Search {

      private final JsonReader in;
      private @Nullable String kind;
      private @Nullable String name;
      private @Nullable String namespace;

      Search(JsonReader in) {
        this.in = in;
      }

      FailedObject found() {
        return new FailedObject(
            emptyToNull(kind),
            name == null || emptyToNull(namespace) == null ? name : namespace + "/" + name);
      }

      void readObject() {
        in.beginObject();
        for (int field; (field = in.nextField(OBJECT)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> kind = stringOr(kind);
            case 1 -> readMetadata();
            default -> throw new AssertionError(field);
          }
        }
      }

      private void readMetadata() {
        if (in.peek() != JsonReader.Token.OBJECT) {
          return;
        }
        in.beginObject();
        for (int field; (field = in.nextField(METADATA)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> name = stringOr(name);
            case 1 -> namespace = stringOr(namespace);
            default -> throw new AssertionError(field);
          }
        }
      }

      private @Nullable String stringOr(@Nullable String other) {
        return in.peek() == JsonReader.Token.STRING ? in.nextString() : other;
      }

      private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
      }
    }
  }
}
