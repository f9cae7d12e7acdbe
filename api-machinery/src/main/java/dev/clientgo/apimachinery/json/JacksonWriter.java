package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** A writer over Jackson's streaming generator. */
final class JacksonWriter extends JsonWriter {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
          .build();

  private static final int REPLACEMENT = 0xFFFD;

  private final JsonGenerator generator;

  JacksonWriter(OutputStream out) {
    this.generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  static <T> byte[] bytes(JsonCodec<T> codec, T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JacksonWriter writer = new JacksonWriter(bytes);
    codec.write(writer, value);
    writer.close();
    return bytes.toByteArray();
  }

  @Override
  public void beginObject() {
    write(generator::writeStartObject);
  }

  @Override
  public void endObject() {
    write(generator::writeEndObject);
  }

  @Override
  public void beginArray() {
    write(generator::writeStartArray);
  }

  @Override
  public void endArray() {
    write(generator::writeEndArray);
  }

  @Override
  public void name(String name) {
    write(() -> generator.writeName(repair(name)));
  }

  @Override
  public void string(String value) {
    write(() -> generator.writeString(repair(value)));
  }

  @Override
  public void bool(boolean value) {
    write(() -> generator.writeBoolean(value));
  }

  @Override
  public void integer(long value) {
    write(() -> generator.writeNumber(value));
  }

  @Override
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

  @Override
  public void nullValue() {
    write(generator::writeNull);
  }

  @Override
  public void raw(RawJson value) {
    write(() -> generator.writeRawValue(value.toString()));
  }

  @Override
  public void flush() {
    write(generator::flush);
  }

  private void close() {
    write(generator::close);
  }

  private void write(Runnable call) {
    try {
      call.run();
    } catch (JacksonIOException e) {
      throw new UncheckedIOException(e.getCause());
    } catch (JacksonException e) {
      throw refused(e.getOriginalMessage(), e);
    }
  }

  @Override
  CodecException refused(String problem, @Nullable Throwable cause) {
    return CodecException.mismatch(problem, path(), -1, cause);
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
}
