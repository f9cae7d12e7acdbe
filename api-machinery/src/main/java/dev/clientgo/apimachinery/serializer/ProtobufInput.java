package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message of protobuf field by field: from a stream, through a window, or from an array.
 */
final class ProtobufInput {

  /** The first bytes of an object: {@code k8s} and a zero. */
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private static final int WINDOW = 16 << 10;
  private static final int LENGTH = 2;

  private final @Nullable InputStream in;
  private byte[] bytes;
  private int position;
  private int end;

  /** The number of bytes that are left of the message. */
  private long left;

  private int number;

  /** Creates a reader of a stream, which is one message up to its end. Reads nothing yet. */
  ProtobufInput(InputStream in) {
    this.in = in;
    bytes = new byte[0];
    left = Long.MAX_VALUE;
  }

  /** Creates a reader of a part of an array. */
  ProtobufInput(byte[] bytes, int from, int to) {
    in = null;
    this.bytes = bytes;
    position = from;
    end = to;
    left = (long) to - from;
  }

  /** Reads the first bytes of an object. */
  void readMagic() throws IOException {
    for (byte expected : MAGIC) {
      if (readByte() != expected) {
        throw malformed("expected an object in protobuf, found other bytes");
      }
    }
  }

  /** Returns whether any bytes are left. */
  boolean hasMore() throws IOException {
    return left > 0 && fill(1);
  }

  /**
   * Moves to the next field that is a message, a string or bytes, and skips others.
   *
   * @return its length; -1 at the end
   */
  long nextField() throws IOException {
    while (hasMore()) {
      long tag = varint();
      number = (int) (tag >>> 3);
      switch ((int) (tag & 7)) {
        case 0 -> varint();
        case 1 -> skip(8);
        case LENGTH -> {
          long length = varint();
          if (length < 0 || length > left) {
            throw malformed("a field of " + Long.toUnsignedString(length) + " bytes");
          }
          return length;
        }
        case 5 -> skip(4);
        default -> throw malformed("a field of an unknown wire type");
      }
    }
    return -1;
  }

  /** Returns the number of the field. */
  int number() {
    return number;
  }

  /** Returns the array that holds the bytes that were taken last. */
  byte[] bytes() {
    return bytes;
  }

  /** Enters an inner message of this length; the reader never leaves it. */
  void enter(long length) {
    left = length;
  }

  /**
   * Takes this number of bytes, which stay in memory until the next call.
   *
   * @return their beginning in {@link #bytes}
   */
  int take(int length) throws IOException {
    if (length > left || !fill(length)) {
      throw ended();
    }
    int from = position;
    position += length;
    left -= length;
    return from;
  }

  /**
   * Checks that the message has ended.
   *
   * @throws EOFException if the stream ended before
   */
  void requireEnd() throws IOException {
    if (left > 0) {
      throw ended();
    }
  }

  void skip(long length) throws IOException {
    if (length > left) {
      throw ended();
    }
    int here = (int) Math.min(length, end - position);
    position += here;
    if (here < length) {
      if (in == null) {
        throw ended();
      }
      in.skipNBytes(length - here);
    }
    left -= length;
  }

  /** Reads four bytes, the highest first. */
  long readFour() throws IOException {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | (readByte() & 0xff);
    }
    return value;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = readByte();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number of more than 64 bits");
  }

  private byte readByte() throws IOException {
    if (!hasMore()) {
      throw ended();
    }
    left--;
    return bytes[position++];
  }

  /** Reads this number of bytes into memory; returns false if the stream has fewer. */
  private boolean fill(int wanted) throws IOException {
    if (end - position >= wanted) {
      return true;
    }
    if (in == null) {
      return false;
    }
    makeRoom(wanted);
    while (end - position < wanted) {
      int read = in.read(bytes, end, bytes.length - end);
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  private void makeRoom(int wanted) {
    int kept = end - position;
    byte[] target = bytes.length < wanted ? new byte[Math.max(WINDOW, wanted)] : bytes;
    System.arraycopy(bytes, position, target, 0, kept);
    bytes = target;
    position = 0;
    end = kept;
  }

  /** Returns the error for a message that ends too early: malformed, or a stream that was cut. */
  private IOException ended() {
    if (in == null || left == 0) {
      throw malformed("the message ends within a field");
    }
    return new EOFException("the stream ended within an object");
  }

  static CodecException malformed(String problem) {
    return CodecException.malformed(problem, "", -1, null);
  }
}
