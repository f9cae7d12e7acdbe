package dev.clientgo.remotecommand.internal.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The fields of a header, which is one block of an archive.
 *
 * <p>POSIX and GNU share this layout. A number is octal text, or, if its first bit is set, the
 * bytes of a number in two's complement.
 */
final class TarHeader {

  static final int BLOCK = 512;

  private static final int NAME = 0;
  private static final int NAME_LENGTH = 100;
  private static final int MODE = 100;
  private static final int SIZE = 124;
  private static final int MODIFIED = 136;
  private static final int CHECKSUM = 148;
  private static final int TYPE = 156;
  private static final int LINK = 157;
  private static final int MAGIC = 257;
  private static final int PREFIX = 345;
  private static final int PREFIX_LENGTH = 155;

  /** The length of the octal number of a mode, of owners, and of the checksum. */
  private static final int SHORT_NUMBER = 8;

  private static final int LONG_NUMBER = 12;

  private final byte[] block;

  private TarHeader(byte[] block) {
    this.block = block;
  }

  /**
   * Returns the header in a block.
   *
   * @throws TarFormatException if its checksum is wrong
   */
  static TarHeader parse(byte[] block) throws TarFormatException {
    TarHeader header = new TarHeader(block);
    long expected = header.checksum();
    int unsigned = 0;
    int signed = 0; // Some old programs add signed bytes.
    for (int i = 0; i < BLOCK; i++) {
      boolean isSum = i >= CHECKSUM && i < CHECKSUM + SHORT_NUMBER;
      unsigned += isSum ? ' ' : block[i] & 0xff;
      signed += isSum ? ' ' : block[i];
    }
    if (expected != unsigned && expected != signed) {
      throw new TarFormatException("this is no archive of tar, or it is damaged: wrong checksum");
    }
    return header;
  }

  private long checksum() {
    try {
      return number(CHECKSUM, SHORT_NUMBER, "checksum");
    } catch (TarFormatException e) {
      return -1; // No sum has this value.
    }
  }

  /** Returns a header, with the owner 0, which is the user of the container. */
  static byte[] format(byte[] name, char type, int mode, long size, long modified, byte[] link) {
    byte[] block = new byte[BLOCK];
    System.arraycopy(name, 0, block, NAME, Math.min(name.length, NAME_LENGTH));
    put(block, MODE, SHORT_NUMBER, mode);
    put(block, MODE + SHORT_NUMBER, SHORT_NUMBER, 0);
    put(block, MODE + 2 * SHORT_NUMBER, SHORT_NUMBER, 0);
    put(block, SIZE, LONG_NUMBER, size);
    put(block, MODIFIED, LONG_NUMBER, modified);
    block[TYPE] = (byte) type;
    System.arraycopy(link, 0, block, LINK, Math.min(link.length, NAME_LENGTH));
    text(block, MAGIC, "ustar  \0");
    Arrays.fill(block, CHECKSUM, CHECKSUM + SHORT_NUMBER, (byte) ' ');
    int sum = 0;
    for (byte b : block) {
      sum += b & 0xff;
    }
    text(block, CHECKSUM, "%06o\0 ".formatted(sum));
    return block;
  }

  private static void put(byte[] block, int offset, int length, long value) {
    String octal = Long.toOctalString(value);
    if (octal.length() < length) {
      text(block, offset, "0".repeat(length - 1 - octal.length()) + octal);
      return;
    }
    for (int i = offset + length - 1, shift = 0; i > offset; i--, shift += 8) {
      block[i] = shift < Long.SIZE ? (byte) (value >> shift) : 0;
    }
    block[offset] = (byte) 0x80;
  }

  private static void text(byte[] block, int offset, String text) {
    System.arraycopy(text.getBytes(ISO_8859_1), 0, block, offset, text.length());
  }

  /** Returns the path; POSIX splits a long one in two. */
  byte[] name() {
    byte[] name = bytes(NAME, NAME_LENGTH);
    boolean isPosix =
        block[MAGIC + 5] == 0 && new String(block, MAGIC, 5, ISO_8859_1).equals("ustar");
    byte[] prefix = isPosix ? bytes(PREFIX, PREFIX_LENGTH) : new byte[0];
    if (prefix.length == 0) {
      return name;
    }
    byte[] path = Arrays.copyOf(prefix, prefix.length + 1 + name.length);
    path[prefix.length] = '/';
    System.arraycopy(name, 0, path, prefix.length + 1, name.length);
    return path;
  }

  byte[] link() {
    return bytes(LINK, NAME_LENGTH);
  }

  char type() {
    return (char) (block[TYPE] & 0xff);
  }

  int mode() throws TarFormatException {
    return (int) (number(MODE, SHORT_NUMBER, "mode") & 07777);
  }

  long size() throws TarFormatException {
    long size = number(SIZE, LONG_NUMBER, "size");
    if (size < 0) {
      throw new TarFormatException("an entry of the archive has a negative size: " + size);
    }
    return size;
  }

  /** Returns the time of the last change in seconds. */
  long modified() throws TarFormatException {
    return number(MODIFIED, LONG_NUMBER, "time");
  }

  private byte[] bytes(int offset, int length) {
    int end = offset;
    while (end < offset + length && block[end] != 0) {
      end++;
    }
    return Arrays.copyOfRange(block, offset, end);
  }

  private long number(int offset, int length, String what) throws TarFormatException {
    if ((block[offset] & 0x80) != 0) {
      return binary(offset, length, what);
    }
    long value = 0;
    for (int i = offset; i < offset + length; i++) {
      int c = block[i];
      if (c >= '0' && c <= '7') {
        value = value * 8 + (c - '0'); // At most 12 digits of 3 bits.
      } else if (c != ' ' && c != 0) {
        throw notANumber(what);
      } else if (value > 0) {
        break;
      }
    }
    return value;
  }

  private long binary(int offset, int length, String what) throws TarFormatException {
    byte[] bytes = Arrays.copyOfRange(block, offset, offset + length);
    if ((bytes[0] & 0x40) == 0) {
      bytes[0] &= 0x7f; // The first bit is only a mark, the second one is the sign.
    }
    BigInteger value = new BigInteger(bytes);
    if (value.bitLength() >= Long.SIZE) {
      throw notANumber(what);
    }
    return value.longValue();
  }

  private static TarFormatException notANumber(String what) {
    return new TarFormatException("the " + what + " of an entry of the archive is no number");
  }
}
