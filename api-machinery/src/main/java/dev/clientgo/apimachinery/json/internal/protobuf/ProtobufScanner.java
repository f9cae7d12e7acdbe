package dev.clientgo.apimachinery.json.internal.protobuf;

import dev.clientgo.apimachinery.errors.CodecException;
import java.util.function.Function;

/**
 * Walks over the fields of a message of protobuf. Gives the place of the next value, the number of
 * its field and its wire type. Never leaves the message, whatever its bytes are.
 */
public final class ProtobufScanner {

  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private static final int MAX_FIELD = (1 << 29) - 1;

  private final Function<String, CodecException> errors;

  public byte[] bytes = {};
  public int position;

  /** The end of the message. */
  public int limit;

  /** The beginning of the tag of the value. */
  public int tagStart;

  /** The number of the field of the value. */
  public int number;

  /** The wire type of the value. */
  public int wire;

  /** The end of a value of wire type {@link #LENGTH}; otherwise the beginning of the value. */
  public int valueEnd;

  /**
   * @param errors creates an exception from the description of a problem
   */
  public ProtobufScanner(Function<String, CodecException> errors) {
    this.errors = errors;
  }

  CodecException error(String problem) {
    return errors.apply(problem);
  }

  /** Moves to the beginning of a message. */
  public ProtobufScanner over(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    position = from;
    limit = to;
    return this;
  }

  public boolean atEnd() {
    return position == limit;
  }

  /** Moves to the next value. */
  public void next() {
    tagStart = position;
    long tag = varint();
    long field = tag >>> 3;
    if (field == 0 || field > MAX_FIELD) {
      throw errors.apply("no field has the number " + field);
    }
    number = (int) field;
    wire = (int) tag & 7;
    switch (wire) {
      case VARINT -> valueEnd = position;
      case LENGTH -> {
        int length = length();
        valueEnd = position + length;
      }
      case FIXED64 -> requireBytes(8);
      case FIXED32 -> requireBytes(4);
      default -> throw errors.apply("no value has the wire type " + wire);
    }
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > limit - position) {
      throw errors.apply(
          "a value of "
              + Long.toUnsignedString(length)
              + " bytes, where "
              + (limit - position)
              + " are left");
    }
    return (int) length;
  }

  private void requireBytes(int count) {
    valueEnd = position;
    if (limit - position < count) {
      throw errors.apply("the message ends within a number");
    }
  }

  /** Moves to the next value of a field, and skips other fields; returns whether there is one. */
  public boolean find(int wanted) {
    while (!atEnd()) {
      next();
      if (number == wanted) {
        return true;
      }
      skip();
    }
    return false;
  }

  /** Moves to the next value if it belongs to this field; returns whether it does. */
  public boolean isNext(int wanted) {
    int before = position;
    if (!atEnd()) {
      next();
      if (number == wanted) {
        return true;
      }
    }
    position = before;
    return false;
  }

  /** Moves behind the value. */
  public void skip() {
    switch (wire) {
      case VARINT -> varint();
      case FIXED64 -> position += 8;
      case FIXED32 -> position += 4;
      default -> position = valueEnd;
    }
  }

  /** Returns whether the value is zero, false or empty. */
  public boolean isZero() {
    return switch (wire) {
      case VARINT -> !atEnd() && bytes[position] == 0;
      case LENGTH -> position == valueEnd;
      case FIXED64 -> fixed64() == 0;
      default -> false;
    };
  }

  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position >= limit) {
        throw errors.apply("the message ends within a number");
      }
      byte b = bytes[position++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw errors.apply("a number of more than 64 bits");
  }

  /** Returns the eight bytes of the value. */
  public long fixed64() {
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | (bytes[position + i] & 0xff);
    }
    return value;
  }
}
