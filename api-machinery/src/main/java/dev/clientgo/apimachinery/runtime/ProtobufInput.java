package dev.clientgo.apimachinery.runtime;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Takes fields off a stream of protobuf, one by one. */
final class ProtobufInput {

  /** What a server puts before an object: {@code k8s}, and a zero. */
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private static final int LENGTH = 2;

  private final InputStream in;
  private long left;
  private int number;

  /**
   * @param length how many bytes belong to the message
   */
  ProtobufInput(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  /** Reads the mark of an object of a server. */
  void readMagic() throws IOException {
    for (byte expected : MAGIC) {
      if (readByte() != expected) {
        throw malformed("expected an object in protobuf, found other bytes");
      }
    }
  }

  /**
   * Moves to the next field that is a message, a string or bytes, and skips others.
   *
   * @return its length; -1 at the end
   */
  long nextField() throws IOException {
    while (left > 0) {
      int first = atEnd() ? -1 : readByte();
      if (first < 0) {
        return -1;
      }
      long tag = varint(first);
      number = (int) (tag >>> 3);
      switch ((int) (tag & 7)) {
        case 0 -> varint(readByte());
        case 1 -> skip(8);
        case LENGTH -> {
          long length = varint(readByte());
          if (length < 0 || length > left) {
            throw malformed("a field of " + length + " bytes");
          }
          return length;
        }
        case 5 -> skip(4);
        default -> throw malformed("no field of a message");
      }
    }
    return -1;
  }

  private boolean atEnd() {
    return left <= 0;
  }

  /** Returns the number of the field. */
  int number() {
    return number;
  }

  /** Goes into a message, which must be the last field that is read. */
  ProtobufInput message(long length) {
    return new ProtobufInput(in, length);
  }

  /**
   * Reads the bytes of a field.
   *
   * @param buffer is used if it is large enough
   */
  byte[] bytes(long length, byte @Nullable [] buffer) throws IOException {
    if (length > JsonReader.MAX_OBJECT_BYTES) {
      throw malformed("an object of " + length + " bytes");
    }
    int size = (int) length;
    byte[] target = buffer != null && buffer.length >= size ? buffer : new byte[size];
    if (in.readNBytes(target, 0, size) < size) {
      throw new EOFException("the stream ended within an object");
    }
    left -= size;
    return target;
  }

  void skip(long length) throws IOException {
    in.skipNBytes(length);
    left -= length;
  }

  private long varint(int first) throws IOException {
    long value = first & 0x7f;
    int last = first;
    for (int shift = 7; (last & 0x80) != 0; shift += 7) {
      if (shift > 63) {
        throw malformed("a number of more than 64 bits");
      }
      last = readByte();
      value |= (long) (last & 0x7f) << shift;
    }
    return value;
  }

  private int readByte() throws IOException {
    int read = in.read();
    if (read < 0) {
      throw new EOFException("the stream ended within an object");
    }
    left--;
    return read;
  }

  static CodecException malformed(String problem) {
    return CodecException.malformed(problem, "", -1, null);
  }
}
