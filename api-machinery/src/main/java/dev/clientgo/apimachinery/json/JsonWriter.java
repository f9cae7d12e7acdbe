package dev.clientgo.apimachinery.json;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON: what codecs are written against, so that the generator beneath can change.
 *
 * <p>The {@code field} methods write nothing for null, so that absent fields are never sent. Fields
 * come out in the order in which they are written, in UTF-8, without white space. When the stream
 * fails, {@link java.io.UncheckedIOException} says how. A writer belongs to one thread.
 */
public abstract class JsonWriter {

  /** Larger doubles are whole, but their digits are not all known. */
  private static final double MAX_WHOLE = 1L << 53;

  JsonWriter() {}

  /** Returns a writer to a stream, which {@link #flush} brings up to date. */
  public static JsonWriter to(OutputStream out) {
    return new JacksonWriter(out);
  }

  /** Returns a value as the bytes of its JSON text; {@link JsonReader#fromBytes} reads them. */
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

  /** Writes a number, exactly. */
  public abstract void number(Number value);

  /** Writes a number as Go does, and so every server: a whole one without a point. */
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

  /** Writes JSON text as it is. */
  public abstract void raw(RawJson value);

  /** Writes a tree as {@link JsonReader#nextTree} gives it. */
  public abstract void tree(@Nullable Object value);

  /** Writes a field, unless the value is null. */
  public abstract void field(String name, @Nullable String value);

  /** Writes a field, unless the value is null. */
  public abstract void field(String name, @Nullable Boolean value);

  /** Writes a field, unless the value is null. */
  public abstract void field(String name, @Nullable Number value);

  /** Writes a field, unless the value is null. */
  public final void field(String name, @Nullable Double value) {
    if (value != null) {
      name(name);
      number(value.doubleValue());
    }
  }

  /** Writes a field, unless the value is null. */
  public abstract void field(String name, @Nullable RawJson value);

  /** Writes a field, unless the value is null. */
  public abstract <T> void field(String name, JsonCodec<T> codec, @Nullable T value);

  /** Writes a field, unless the value is null. */
  public abstract <T> void listField(String name, JsonCodec<T> codec, @Nullable List<T> values);

  /** Writes a field, unless the value is null. */
  public abstract void stringListField(String name, @Nullable List<String> values);

  /** Writes a field, unless the value is null. */
  public abstract void stringMapField(String name, @Nullable Map<String, String> values);

  /** Writes a field, unless the value is null. */
  public abstract <T> void mapField(
      String name, JsonCodec<T> codec, @Nullable Map<String, T> values);

  /** Brings the stream up to date. */
  public abstract void flush();
}
