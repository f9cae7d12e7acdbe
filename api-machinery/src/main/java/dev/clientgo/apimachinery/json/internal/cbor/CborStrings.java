package dev.clientgo.apimachinery.json.internal.cbor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.internal.intern.Pool;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.ReaderErrors;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Reads the strings of CBOR as the JSON of the same object has them.
 *
 * <p>An API server writes all texts as strings of bytes. Bytes that are not text have a tag, which
 * names the encoding that they have in JSON.
 */
final class CborStrings {

  // Tags.
  static final int EPOCH = 1;
  static final int BIG = 2;
  static final int NEGATIVE_BIG = 3;
  private static final int BASE64_URL = 21;
  private static final int BASE64 = 22;
  private static final int BASE16 = 23;

  /** The longest string that is read, far above any real object: a bound on memory. */
  private static final int MAX_BYTES = 64 << 20;

  private static final char REPLACEMENT = '\uFFFD';

  private final CborScanner scanner;
  private final ByteWindow in;
  private final Pool pool;
  private final ReaderErrors errors;

  CborStrings(CborScanner scanner, ByteWindow in, Pool pool, ReaderErrors errors) {
    this.scanner = scanner;
    this.in = in;
    this.pool = pool;
    this.errors = errors;
  }

  static boolean isEncoding(long tag) {
    return tag >= BASE64_URL && tag <= BASE16;
  }

  /** Reads the string whose head was read last, and moves behind it. */
  String read() {
    if (scanner.isIndefinite()) {
      return readParts();
    }
    int head = scanner.size();
    int length = length(0);
    boolean text = scanner.type() == CborScanner.TEXT;
    scanner.load(head + length);
    String string = decode(in.bytes, in.position + head, length, text);
    in.position += head + length;
    return string;
  }

  /** Reads a string that is divided into parts of the same type, up to a break. */
  private String readParts() {
    int type = scanner.type();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int at = 1;
    for (scanner.head(at); !scanner.isBreak(); scanner.head(at)) {
      if (scanner.type() != type || scanner.isIndefinite()) {
        throw errors.malformed("string with a part of another type", in.position + at);
      }
      int length = length(all.size());
      at += scanner.size();
      scanner.load(at + length);
      all.write(in.bytes, in.position + at, length);
      at += length;
    }
    String string = decode(all.toByteArray(), 0, all.size(), type == CborScanner.TEXT);
    in.position += at + 1;
    return string;
  }

  private int length(int before) {
    long length = scanner.argument();
    if (length < 0 || length > MAX_BYTES - before) {
      throw errors.unreadable("string of more than " + MAX_BYTES + " bytes", in.position);
    }
    return (int) length;
  }

  private String decode(byte[] bytes, int from, int length, boolean text) {
    if (!text && isEncoding(scanner.form())) {
      return encode(Arrays.copyOfRange(bytes, from, from + length));
    }
    if (length <= Pool.MAX_STRING_CHARS) {
      int hash = 0; // as String computes it
      int all = 0;
      for (int i = from; i < from + length; i++) {
        byte b = bytes[i];
        all |= b;
        hash = 31 * hash + b;
      }
      if (all >= 0) {
        return pool.string(bytes, from, length, hash);
      }
    }
    String string = new String(bytes, from, length, UTF_8);
    // Servers do not check strings of bytes, and replace invalid ones when they write JSON.
    if (text && string.indexOf(REPLACEMENT) >= 0 && !isUtf8(bytes, from, length)) {
      throw errors.unreadable("invalid UTF-8", in.position);
    }
    return pool.string(string);
  }

  private static boolean isUtf8(byte[] bytes, int from, int length) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private String encode(byte[] bytes) {
    return switch (scanner.form()) {
      case BASE64_URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      case BASE64 -> Base64.getEncoder().encodeToString(bytes);
      default -> HexFormat.of().formatHex(bytes);
    };
  }

  /** Returns a time in seconds since 1970 in the form of RFC 3339. */
  String time(Number seconds) {
    try {
      BigDecimal exact = new BigDecimal(seconds.toString());
      long whole = exact.toBigInteger().longValueExact();
      long nanos = exact.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue();
      return Instant.ofEpochSecond(whole, nanos).toString();
    } catch (DateTimeException | ArithmeticException e) {
      throw errors.mismatch("expected a time, found " + seconds + " seconds");
    }
  }
}
