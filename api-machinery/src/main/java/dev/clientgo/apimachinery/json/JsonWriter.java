package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * A writer of JSON over Jackson's streaming generator. Codecs use this class, so the generator can
 * change.
 *
 * <p>The {@code field} methods write nothing for null and for an absent list or map, so absent
 * fields are never sent. The writer keeps the order of the calls, and writes UTF-8 without white
 * space. If the stream fails, it throws an {@link java.io.UncheckedIOException}. A writer belongs
 * to one thread.
 */
public final class JsonWriter {

  /** Above this, a double does not determine all digits of a whole number. */
  private static final double MAX_WHOLE = 1L << 53;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
          .build();

  private static final int REPLACEMENT = 0xFFFD;

  private final JsonGenerator generator;

  private JsonWriter(OutputStream out) {
    this.generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** Returns a writer to a stream; call {@link #flush} after the last value. */
  public static JsonWriter to(OutputStream out) {
    return new JsonWriter(out);
  }

  /** Returns the JSON text of a value in UTF-8; {@link JsonReader#fromBytes} reads it. */
  public static <T> byte[] toBytes(JsonCodec<T> codec, T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter writer = new JsonWriter(bytes);
    codec.write(writer, value);
    writer.write(writer.generator::close);
    return bytes.toByteArray();
  }

  /** Begins an object. */
  public void beginObject() {
    write(generator::writeStartObject);
  }

  /** Ends an object. */
  public void endObject() {
    write(generator::writeEndObject);
  }

  /** Begins an array. */
  public void beginArray() {
    write(generator::writeStartArray);
  }

  /** Ends an array. */
  public void endArray() {
    write(generator::writeEndArray);
  }

  /** Writes the name of the field whose value comes next. */
  public void name(String name) {
    write(() -> generator.writeName(repair(name)));
  }

  /** Writes a string. */
  public void string(String value) {
    write(() -> generator.writeString(repair(value)));
  }

  /** Writes true or false. */
  public void bool(boolean value) {
    write(() -> generator.writeBoolean(value));
  }

  /** Writes a whole number. */
  public void integer(long value) {
    write(() -> generator.writeNumber(value));
  }

  /** Writes a number without loss. */
  public void number(Number value) {
    if (value instanceof Integer || value instanceof Long || value instanceof Short) {
      integer(value.longValue());
    } else if (value instanceof Double number) {
      requireFinite(Double.isFinite(number), value);
      write(() -> generator.writeNumber(number));
    } else if (value instanceof Float number) {
      requireFinite(Float.isFinite(number), value);
      write(() -> generator.writeNumber(number));
    } else if (value instanceof BigDecimal number) {
      // With an exponent where there is one: as plain digits 1E+999999999 has a billion of them.
      write(() -> generator.writeNumber(number));
    } else if (value instanceof BigInteger number) {
      write(() -> generator.writeNumber(number));
    } else {
      integer(value.longValue());
    }
  }

  /** Writes a number as Go and every server do: without a point if it is whole. */
  public void number(double value) {
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
  public void nullValue() {
    write(generator::writeNull);
  }

  /** Writes JSON text unchanged. */
  public void raw(RawJson value) {
    write(() -> generator.writeRawValue(value.toString()));
  }

  /** Writes a tree of the form that {@link JsonReader#nextTree} returns. */
  public void tree(@Nullable Object value) {
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
  public void fields(Map<String, @Nullable Object> tree) {
    tree.forEach(
        (name, value) -> {
          name(name);
          tree(value);
        });
  }

  /** Returns the error for a value that has no form in the encoding. */
  private CodecException refused(String problem, @Nullable Throwable cause) {
    return CodecException.mismatch(problem, path(), -1, cause);
  }

  /** Writes buffered text to the stream, and flushes the stream. */
  public void flush() {
    write(generator::flush);
  }

  // --------------------------------------------------------------------------------- Generator

  private void write(Runnable call) {
    GeneratorCall.run(this, call);
  }

  /** Apart, since a program that only reads would load Jackson's exceptions with the writer. */
  private static final class GeneratorCall {

    static void run(JsonWriter writer, Runnable call) {
      try {
        call.run();
      } catch (JacksonIOException e) {
        throw new UncheckedIOException(e.getCause());
      } catch (JacksonException e) {
        throw writer.refused(e.getOriginalMessage(), e);
      }
    }
  }

  /** Returns the pointer to the value that was to be written. */
  private String path() {
    TokenStreamContext context = generator.streamWriteContext();
    if (!context.inArray()) {
      return context.pathAsPointer().toString();
    }
    // In an array the generator still points at the element before.
    return context.getParent().pathAsPointer() + "/" + (context.getCurrentIndex() + 1);
  }

  /**
   * Returns the string with each surrogate that has no partner replaced by U+FFFD, as upstream
   * does: UTF-8 has no form for one. Such strings come from escapes that a server passed through.
   */
  static String repair(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints()
            .map(c -> Character.getType(c) == Character.SURROGATE ? REPLACEMENT : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }

  private void requireFinite(boolean finite, Number value) {
    if (!finite) {
      throw refused("JSON has no number " + value, null);
    }
  }

  // ------------------------------------------------------------------------------------ Fields

  /** Writes a field, unless the value is null. */
  public void field(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      string(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public void field(String name, @Nullable Boolean value) {
    if (value != null) {
      name(name);
      bool(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public void field(String name, @Nullable Number value) {
    if (value != null) {
      name(name);
      number(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public void field(String name, @Nullable Double value) {
    if (value != null) {
      name(name);
      number(value.doubleValue());
    }
  }

  /** Writes a field, unless the value is null. */
  public void field(String name, @Nullable RawJson value) {
    if (value != null) {
      name(name);
      raw(value);
    }
  }

  /** Writes a field, unless the value is null. */
  public <T> void field(String name, JsonCodec<T> codec, @Nullable T value) {
    if (value != null) {
      name(name);
      codec.write(this, value);
    }
  }

  /** Writes a field, unless the value is absent. */
  public <T> void listField(String name, JsonCodec<T> codec, @Nullable List<T> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginArray();
      values.forEach(value -> codec.write(this, value));
      endArray();
    }
  }

  /** Writes a field, unless the value is absent. */
  public void stringListField(String name, @Nullable List<String> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginArray();
      values.forEach(this::string);
      endArray();
    }
  }

  /** Writes a field, unless the value is absent. */
  public void stringMapField(String name, @Nullable Map<String, String> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginObject();
      values.forEach(this::field);
      endObject();
    }
  }

  /** Writes a field, unless the value is absent. */
  public <T> void mapField(String name, JsonCodec<T> codec, @Nullable Map<String, T> values) {
    if (values != null && !Immutable.isAbsent(values)) {
      name(name);
      beginObject();
      values.forEach((key, value) -> field(key, codec, value));
      endObject();
    }
  }
}
