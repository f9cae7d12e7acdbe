package dev.clientgo.rest.internal.pem;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Wraps private keys of the older forms PKCS#1 and SEC1 in PKCS#8, which the JDK reads. kubeadm,
 * kind, minikube and k3s write the older forms.
 */
final class Pkcs8 {

  private static final int OCTET_STRING = 0x04;
  private static final int INTEGER = 0x02;
  private static final int SEQUENCE = 0x30;

  /** The tag of the curve within SEC1. */
  private static final int PARAMETERS = 0xA0;

  /** The longest key: one of RSA with 16,384 bits has 9 kB. */
  private static final int MAX_LENGTH = 1 << 15;

  /** The number 0. */
  private static final byte[] VERSION = {INTEGER, 1, 0};

  /** The algorithm of RSA: 1.2.840.113549.1.1.1, and no parameters. */
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

  /** The name of the algorithms with elliptic curves: 1.2.840.10045.2.1. */
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private Pkcs8() {}

  /** Wraps an RSA key in the form PKCS#1. */
  static byte[] ofPkcs1(byte[] key) {
    return wrap(RSA, key);
  }

  /**
   * Wraps a key of an elliptic curve in the form SEC1 (RFC 5915).
   *
   * @throws IllegalArgumentException if it does not name its curve
   */
  static byte[] ofSec1(byte[] key) {
    ByteBuffer fields = next(ByteBuffer.wrap(key), SEQUENCE);
    next(fields, INTEGER);
    next(fields, OCTET_STRING);
    ByteBuffer curve = next(fields, PARAMETERS);
    byte[] parameters = new byte[curve.remaining()];
    curve.get(parameters);
    return wrap(der(SEQUENCE, EC, parameters), key);
  }

  private static byte[] wrap(byte[] algorithm, byte[] key) {
    if (key.length > MAX_LENGTH) {
      throw new IllegalArgumentException("the key is too long");
    }
    return der(SEQUENCE, VERSION, algorithm, der(OCTET_STRING, key));
  }

  /** Returns a value in DER. */
  private static byte[] der(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    // The length must be as short as possible: one byte, or up to two and before them how many.
    if (length > 0xFF) {
      out.write(0x82);
      out.write(length >> 8);
    } else if (length > 0x7F) {
      out.write(0x81);
    }
    out.write(length);
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** Moves behind the next value, and returns its content. */
  private static ByteBuffer next(ByteBuffer in, int tag) {
    if (in.remaining() < 2 || (in.get() & 0xFF) != tag) {
      throw new IllegalArgumentException("not a key with its curve");
    }
    int length = length(in);
    if (length > in.remaining()) {
      throw new IllegalArgumentException("the key is cut off");
    }
    ByteBuffer content = in.slice(in.position(), length);
    in.position(in.position() + length);
    return content;
  }

  private static int length(ByteBuffer in) {
    int first = in.get() & 0xFF;
    if (first < 0x80) {
      return first;
    }
    int bytes = first - 0x80;
    int length = 0;
    for (int i = 0; i < bytes; i++) {
      if (i == 2 || !in.hasRemaining()) {
        throw new IllegalArgumentException("the key is too long");
      }
      length = (length << 8) | (in.get() & 0xFF);
    }
    return length;
  }
}
