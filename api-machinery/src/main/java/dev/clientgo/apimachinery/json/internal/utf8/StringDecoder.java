package dev.clientgo.apimachinery.json.internal.utf8;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the bytes between the quotes of a JSON string.
 *
 * <p>Accepts only well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
 * Keeps an escaped surrogate without a partner.
 */
final class StringDecoder {

  private static final int MAX_IDLE_SIZE = 16 << 10;

  private char[] chars = new char[0]; // most strings are plain and are not decoded
  private int length;

  private byte[] bytes = new byte[0];
  private int next;
  private int end;
  private @Nullable String problem;

  /**
   * Decodes part of an array.
   *
   * @return whether it is well-formed; if not, see {@link #problem} and {@link #place}
   */
  boolean decode(byte[] source, int from, int to) {
    if (chars.length < to - from || chars.length > MAX_IDLE_SIZE) {
      chars = new char[Math.max(256, to - from)]; // there are never more characters than bytes
    }
    length = 0;
    bytes = source;
    next = from;
    end = to;
    problem = null;
    while (next < end && problem == null) {
      byte b = bytes[next];
      if (b == '\\') {
        decodeEscape();
      } else if (b >= 0) {
        chars[length++] = (char) b;
        next++;
      } else {
        decodeUtf8(b & 0xFF);
      }
    }
    bytes = new byte[0];
    return problem == null;
  }

  /** Returns the characters; the first {@link #length} are valid until the next {@code decode}. */
  char[] chars() {
    return chars;
  }

  int length() {
    return length;
  }

  @Override
  public String toString() {
    return new String(chars, 0, length);
  }

  /** Returns the problem of the last string. */
  String problem() {
    return String.valueOf(problem);
  }

  /** Returns the index of the problem in the array. */
  int place() {
    return next;
  }

  private void decodeEscape() {
    int c = next + 1 < end ? bytes[next + 1] : -1;
    int unescaped = "\"\\/bfnrt".indexOf(c);
    if (unescaped >= 0) {
      chars[length++] = "\"\\/\b\f\n\r\t".charAt(unescaped);
      next += 2;
      return;
    }
    if (c != 'u') {
      problem = "unknown escape in a string";
      return;
    }
    int value = 0;
    for (int i = next + 2; i < next + 6; i++) {
      int digit = i < end ? Character.digit(bytes[i], 16) : -1;
      if (digit < 0) {
        problem = "escape in a string without four hexadecimal digits";
        return;
      }
      value = (value << 4) | digit;
    }
    chars[length++] = (char) value;
    next += 6;
  }

  private void decodeUtf8(int first) {
    if (first < 0xC2 || first > 0xF4) {
      problem = "invalid UTF-8";
    } else if (first < 0xE0) {
      decodeUtf8(first & 0x1F, 1, 0x80);
    } else if (first < 0xF0) {
      decodeUtf8(first & 0x0F, 2, 0x800);
    } else {
      decodeUtf8(first & 0x07, 3, 0x10000);
    }
  }

  private void decodeUtf8(int start, int continuations, int least) {
    int codePoint = start;
    for (int i = next + 1; i <= next + continuations; i++) {
      if (i >= end || (bytes[i] & 0xC0) != 0x80) {
        problem = "invalid UTF-8";
        return;
      }
      codePoint = (codePoint << 6) | (bytes[i] & 0x3F);
    }
    boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
    if (codePoint < least || surrogate || codePoint > Character.MAX_CODE_POINT) {
      problem = "invalid UTF-8";
      return;
    }
    length += Character.toChars(codePoint, chars, length);
    next += continuations + 1;
  }
}
