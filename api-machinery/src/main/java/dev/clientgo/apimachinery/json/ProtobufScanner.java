package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import java.util.function.Function;

/**
 * Walks over the fields of a message of protobuf: where the next value is, of which field, and how
 * it is written. It never leaves the message, whatever its bytes say.
 */
final class ProtobufScanner {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private static final int MAX_FIELD = (1 << 29) - 1;

  private final Function<String, CodecException> errors;

  byte[] bytes = {};
  int position;

  /** Where the message ends. */
  int limit;

  /** Where the tag of the value begins. */
  int tagStart;

  /** The field of the value. */
  int number;

  /** How the value is written. */
  int wire;

  /** Where the value ends; its beginning, unless its length stands before it. */
  int valueEnd;

  /**
   * @param errors makes an error of what is wrong
   */
  ProtobufScanner(Function<String, CodecException> errors) {
    this.errors = errors;
  }

  CodecException error(String problem) {
    return errors.apply(problem);
  }

  /** Goes to the beginning of a message. */
  ProtobufScanner over(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    position = from;
    limit = to;
    return this;
  }

  boolean atEnd() {
    return position == limit;
  }

  /** Moves to the next value. */
  void next() {
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

  /** Moves to the next value of a field, over those of others; returns whether there is one. */
  boolean find(int wanted) {
    while (!atEnd()) {
      next();
      if (number == wanted) {
        return true;
      }
      skip();
    }
    return false;
  }

  /** Moves to the next value if it is of this field; returns whether it is. */
  boolean isNext(int wanted) {
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

  /** Goes behind the value. */
  void skip() {
    switch (wire) {
      case VARINT -> varint();
      case FIXED64 -> position += 8;
      case FIXED32 -> position += 4;
      default -> position = valueEnd;
    }
  }

  /** Returns whether the value is zero, false or empty. */
  boolean isZero() {
    return switch (wire) {
      case VARINT -> !atEnd() && bytes[position] == 0;
      case LENGTH -> position == valueEnd;
      case FIXED64 -> fixed64() == 0;
      default -> false;
    };
  }

  long varint() {
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
  long fixed64() {
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | (bytes[position + i] & 0xff);
    }
    return value;
  }
}
