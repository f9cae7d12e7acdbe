package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON. Codecs use this class, so the generator beneath can change.
 *
 * <p>The {@code field} methods write nothing for null and for an absent list or map, so absent
 * fields are never sent. The writer keeps the order of the calls, and writes UTF-8 without white
 * space. If the stream fails, it throws an {@link java.io.UncheckedIOException}. A writer belongs
 * to one thread.
 */
public abstract class JsonWriter {

  /** Above this, a double does not determine all digits of a whole number. */
  private static final double MAX_WHOLE = 1L << 53;

  JsonWriter() {}

  /** Returns a writer to a stream; call {@link #flush} after the last value. */
  public static JsonWriter to(OutputStream out) {
    return new JacksonWriter(out);
  }

  /** Returns the JSON text of a value in UTF-8; {@link JsonReader#fromBytes} reads it. */
  public static <T> byte[] toBytes(JsonCodec<T> codec, T value) {
    return JacksonWriter.bytes(codec, value);
  }

  /** Begins an object. */
  public abstract void beginObject();

  /** Ends an object. */
  public abstract void endObject();

  /** Begins an array. */
  public abstract void beginArray();

  /** Ends an array. */
  public abstract void endArray();

  /** Writes the name of the field whose value comes next. */
  public abstract void name(String name);

  /** Writes a string. */
  public abstract void string(String value);

  /** Writes true or false. */
  public abstract void bool(boolean value);

  /** Writes a whole number. */
  public abstract void integer(long value);

  /** Writes a number without loss. */
  public abstract void number(Number value);

  /** Writes a number as Go and every server do: without a point if it is whole. */
  public final void number(double value) {
    if (value == (long) value && Math.abs(value) < MAX_WHOLE && !isNegativeZero(value)) {
      integer((long) value);
    } else {
      number(Double.valueOf(value));
    }
  }

  private static boolean isNegativeZero(double value) {
    return value == 0 && 1 / value < 0;
  }

  /** Writes null. */
  public abstract void nullValue();

  /** Writes JSON text unchanged. */
  public abstract void raw(RawJson value);

  /** Writes a tree of the form that {@link JsonReader#nextTree} returns. */
  public final void tree(@Nullable Object value) {
    if (value == null) {
      nullValue();
    } else if (value instanceof String text) {
      string(text);
    } else if (value instanceof Map<?, ?> map) {
      beginObject();
      map.forEach(
          (name, field) -> {
            name(String.valueOf(name));
            tree(field);
          });
      endObject();
    } else if (value instanceof Iterable<?> elements) {
      beginArray();
      elements.forEach(this::tree);
      endArray();
    } else if (value instanceof Boolean flag) {
      bool(flag);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof RawJson json) {
      raw(json);
    } else {
      throw refused("JSON has no value of " + value.getClass(), null);
    }
  }

  /** Writes the entries of a tree as fields of the current object. */
  public final void fields(Map<String, @Nullable Object> tree) {
    tree.forEach(
        (name, value) -> {
          name(name);
          tree(value);
        });
  }

  /** Returns the error for a value that has no form in the encoding. */
  abstract CodecException refused(String problem, @Nullable Throwable cause);

  /** Writes buffered text to the stream, and flushes the stream. */
  public abstract void flush();

  // ------------------------------------------------------------------------------------ Fields

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      string(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable Boolean value) {
    if (value != null) {
      name(name);
      bool(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable Number value) {
    if (value != null) {
      name(name);
      number(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable Double value) {
    if (value != null) {
      name(name);
      number(value.doubleValue());
    }
  }

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable RawJson value) {
    if (value != null) {
      name(name);
      raw(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public final <T> void field(String name, JsonCodec<T> codec, @Nullable T value) {
    if (value != null) {
      name(name);
      codec.write(this, value);
    }
  }

  /** Writes a field, unless the value is absent. */
  public final <T> void listField(String name, JsonCodec<T> codec, @Nullable List<T> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginArray();
      values.forEach(value -> codec.write(this, value));
      endArray();
    }
  }

  /** Writes a field, unless the value is absent. */
  public final void stringListField(String name, @Nullable List<String> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginArray();
      values.forEach(this::string);
      endArray();
    }
  }

  /** Writes a field, unless the value is absent. */
  public final void stringMapField(String name, @Nullable Map<String, String> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginObject();
      values.forEach(this::field);
      endObject();
    }
  }

  /** Writes a field, unless the value is absent. */
  public final <T> void mapField(String name, JsonCodec<T> codec, @Nullable Map<String, T> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginObject();
      values.forEach((key, value) -> field(key, codec, value));
      endObject();
    }
  }
}
