package dev.clientgo.apimachinery.json.internal.utf8;

import dev.clientgo.apimachinery.json.internal.intern.Pool;

/**
 * Reads the string at the position of a window.
 *
 * <p>It first searches the closing quote; on the way it computes the hash and checks for plain
 * ASCII. Most strings are plain and in the pool, which finds them by their bytes without creating
 * an object. The others are decoded.
 */
public final class StringScanner {

  /** The longest string that is read, far above any real object: a bound on memory. */
  private static final int MAX_BYTES = 64 << 20;

  private final ByteWindow in;
  private final Pool pool;
  private final ReaderErrors errors;
  private final StringDecoder decoder = new StringDecoder();

  /** The length of the last string in bytes, without quotes. */
  private int length;

  /** The hash of the last string if it is plain. */
  private int hash;

  /** Whether the last string is ASCII without escapes. */
  private boolean plain;

  public StringScanner(ByteWindow in, Pool pool, ReaderErrors errors) {
    this.in = in;
    this.pool = pool;
    this.errors = errors;
  }

  /** Reads a string, and moves behind it. */
  public String read() {
    String simple = pool.quoted(in.bytes, in.position + 1, in.end);
    if (simple != null) {
      in.position += simple.length() + 2;
      return simple;
    }
    scan();
    return take();
  }

  /** Skips a string, but checks that it is well-formed. */
  public void skip() {
    scan();
    if (!plain) {
      decode();
    }
    moveBehind();
  }

  /** Returns the string that was scanned, and moves behind it. */
  private String take() {
    String string;
    if (plain) {
      string = pool.string(in.bytes, in.position + 1, length, hash);
    } else {
      decode();
      string = pool.string(decoder.chars(), decoder.length());
    }
    moveBehind();
    return string;
  }

  private void moveBehind() {
    in.position += length + 2;
  }

  /** Finds the end of the string. */
  private void scan() {
    int hash = 0;
    boolean plain = true;
    int i = 1;
    while (true) {
      byte[] bytes = in.bytes;
      int start = in.position;
      int available = in.end - start;
      for (; i < available; i++) {
        byte b = bytes[start + i];
        if (b == '"') {
          this.length = i - 1;
          this.hash = hash;
          this.plain = plain;
          return;
        }
        if (b == '\\') {
          plain = false;
          i++; // an escaped character does not end the string
        } else if (b < ' ') {
          if (b >= 0) {
            throw errors.malformed("control character in a string", start + i);
          }
          plain = false;
        }
        hash = 31 * hash + b;
      }
      readOn(i);
    }
  }

  private void readOn(int scanned) {
    errors.checkSizeWithin(scanned);
    if (scanned > MAX_BYTES) {
      throw errors.unreadable("string of more than " + MAX_BYTES + " bytes", in.position);
    }
    if (!in.more()) {
      throw errors.truncated();
    }
  }

  private void decode() {
    int start = in.position + 1;
    if (!decoder.decode(in.bytes, start, start + length)) {
      throw errors.unreadable(decoder.problem(), decoder.place());
    }
  }
}
