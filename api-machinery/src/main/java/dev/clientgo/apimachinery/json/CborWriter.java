package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.cbor.CborScanner;
import dev.clientgo.apimachinery.json.internal.utf8.Nesting;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A writer of CBOR into memory, in the form of API servers: with the tag of self-described CBOR in
 * front, all strings as bytes, and each array or map with the number of its elements.
 *
 * <p>The number of elements is known at the end. So the writer leaves one byte free for it, which
 * is enough for 23 elements, and moves the elements if it is not.
 *
 * <p>Corresponds to the modes of encoding of apimachinery's {@code serializer/cbor}.
 */
final class CborWriter extends JsonWriter {

  private static final byte[] SELF_DESCRIBED = {(byte) 0xD9, (byte) 0xD9, (byte) 0xF7};
  private static final int SIZE = 512;
  private static final int INFO_BYTE = 24;
  private static final boolean OBJECT = true;
  private static final boolean ARRAY = false;

  private byte[] bytes = Arrays.copyOf(SELF_DESCRIBED, SIZE);
  private int length = SELF_DESCRIBED.length;

  private final Nesting nesting = new Nesting();

  /** By depth: the place of the head of the array or map. */
  private int[] heads = new int[8];

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public void beginObject() {
    begin(OBJECT);
  }

  @Override
  public void beginArray() {
    begin(ARRAY);
  }

  private void begin(boolean object) {
    value();
    nesting.enter(object);
    int depth = nesting.depth();
    if (depth == heads.length) {
      heads = Arrays.copyOf(heads, depth * 2);
    }
    heads[depth] = length;
    makeRoom(1);
    length++;
  }

  @Override
  public void endObject() {
    end(CborScanner.MAP);
  }

  @Override
  public void endArray() {
    end(CborScanner.ARRAY);
  }

  private void end(int type) {
    int start = heads[nesting.depth()];
    int count = nesting.elements();
    nesting.leave();
    int more = headSize(count) - 1;
    makeRoom(more);
    System.arraycopy(bytes, start + 1, bytes, start + 1 + more, length - start - 1);
    int end = length + more;
    length = start;
    head(type, count);
    length = end;
  }

  /** Counts a value in an array; in a map, its name counts. */
  private void value() {
    if (nesting.isIn(ARRAY)) {
      nesting.beginElement();
    }
  }

  @Override
  public void name(String name) {
    nesting.beginElement();
    nesting.name(name);
    bytes(name);
  }

  @Override
  public void string(String value) {
    value();
    bytes(value);
  }

  private void bytes(String text) {
    int chars = text.length();
    int start = length;
    head(CborScanner.BYTES, chars);
    makeRoom(chars);
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        length = start;
        utf8(JacksonWriter.repair(text).getBytes(UTF_8));
        return;
      }
      bytes[length++] = (byte) c;
    }
  }

  private void utf8(byte[] text) {
    head(CborScanner.BYTES, text.length);
    makeRoom(text.length);
    System.arraycopy(text, 0, bytes, length, text.length);
    length += text.length;
  }

  @Override
  public void bool(boolean value) {
    simple(value ? CborScanner.TRUE : CborScanner.FALSE);
  }

  @Override
  public void nullValue() {
    simple(CborScanner.NULL);
  }

  private void simple(int first) {
    value();
    makeRoom(1);
    bytes[length++] = (byte) first;
  }

  @Override
  public void integer(long value) {
    value();
    if (value < 0) {
      head(CborScanner.NEGATIVE, ~value);
    } else {
      head(CborScanner.UNSIGNED, value);
    }
  }

  @Override
  public void number(Number value) {
    if (value instanceof Double || value instanceof Float) {
      floating(value, value.doubleValue());
    } else if (value instanceof Integer || value instanceof Long || value instanceof Short) {
      integer(value.longValue());
    } else if (isWhole64(value)) {
      integer(value.longValue());
    } else {
      floating(value, value.doubleValue());
    }
  }

  private static boolean isWhole64(Number value) {
    return value.toString().equals(Long.toString(value.longValue()));
  }

  private void floating(Number number, double value) {
    value();
    if (!Double.isFinite(value)) {
      throw refused("CBOR of the API has no number " + number, null);
    }
    float single = (float) value;
    if (single == value) {
      fixed(CborScanner.SINGLE, Float.floatToIntBits(single), 4);
    } else {
      fixed(CborScanner.DOUBLE, Double.doubleToLongBits(value), 8);
    }
  }

  @Override
  public void raw(RawJson value) {
    copy(value.reader());
  }

  private void copy(JsonReader in) {
    switch (in.peek()) {
      case OBJECT -> {
        in.beginObject();
        beginObject();
        for (String name; (name = in.nextName()) != null; ) {
          name(name);
          copy(in);
        }
        endObject();
      }
      case ARRAY -> {
        in.beginArray();
        beginArray();
        while (in.nextElement()) {
          copy(in);
        }
        endArray();
      }
      case NUMBER -> number(in.nextNumber());
      case BOOLEAN -> bool(in.nextBoolean());
      case NULL -> {
        in.skip();
        nullValue();
      }
      case STRING, END_OF_STREAM -> string(in.nextString());
    }
  }

  /** Does nothing: the value is in memory. */
  @Override
  public void flush() {}

  // --------------------------------------------------------------------------------------- Bytes

  private static int headSize(long argument) {
    if (argument < INFO_BYTE) {
      return 1;
    }
    if (argument < 1L << 8) {
      return 2;
    }
    if (argument < 1L << 16) {
      return 3;
    }
    return argument < 1L << 32 ? 5 : 9;
  }

  private void head(int type, long argument) {
    switch (headSize(argument)) {
      case 1 -> {
        makeRoom(1);
        bytes[length++] = (byte) (type << 5 | argument);
      }
      case 2 -> fixed(type << 5 | INFO_BYTE, argument, 1);
      case 3 -> fixed(type << 5 | INFO_BYTE + 1, argument, 2);
      case 5 -> fixed(type << 5 | INFO_BYTE + 2, argument, 4);
      default -> fixed(type << 5 | INFO_BYTE + 3, argument, 8);
    }
  }

  /** Writes a first byte and a number of so many bytes, the highest first. */
  private void fixed(int first, long value, int size) {
    makeRoom(1 + size);
    bytes[length++] = (byte) first;
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >> shift);
    }
  }

  private void makeRoom(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
    }
  }

  @Override
  CodecException refused(String problem, @Nullable Throwable cause) {
    return CodecException.mismatch(problem, nesting.path(), -1, cause);
  }
}
