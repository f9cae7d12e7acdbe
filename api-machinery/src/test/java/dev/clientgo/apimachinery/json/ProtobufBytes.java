package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Writes protobuf by hand. */
public final class ProtobufBytes {

  private ProtobufBytes() {}

  /** Returns a field that is a string. */
  public static byte[] string(int number, String value) {
    return message(number, value.getBytes(UTF_8));
  }

  /** Returns a field that is a message of these fields, or any bytes. */
  public static byte[] message(int number, byte[]... parts) {
    byte[] content = join(parts);
    return join(varint((long) number << 3 | 2), varint(content.length), content);
  }

  /** Returns a field that is a whole number. */
  public static byte[] field(int number, long value) {
    return join(varint((long) number << 3), varint(value));
  }

  /** Returns a number. */
  public static byte[] varint(long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
    return out.toByteArray();
  }

  /** Returns an object as a server sends it. */
  public static byte[] envelope(String kind, byte[] object) {
    return join(
        new byte[] {'k', '8', 's', 0},
        message(1, string(1, "v1"), string(2, kind)),
        message(2, object));
  }

  /** Returns an event of a watch as a server sends it. */
  public static byte[] frame(String type, byte[] envelope) {
    byte[] event = join(string(1, type), message(2, message(1, envelope)));
    int length = event.length;
    return join(
        new byte[] {
          (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
        },
        event);
  }

  /** Returns all of these bytes. */
  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
