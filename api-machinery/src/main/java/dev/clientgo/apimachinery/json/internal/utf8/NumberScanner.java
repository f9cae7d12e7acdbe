package dev.clientgo.apimachinery.json.internal.utf8;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Reads the number at the position of a window. */
public final class NumberScanner {

  /** The longest number that is read: conversion takes time in the square of the length. */
  private static final int MAX_CHARS = 1000;

  /** The length up to which a decimal is always the shortest form of the nearest double. */
  private static final int DOUBLE_DIGITS = 15;

  /** The length up to which every whole number fits into 64 bits. */
  private static final int SAFE_CHARS = 18;

  private final ByteWindow in;
  private final ReaderErrors errors;

  /** The length of the last number. */
  private int length;

  /** Whether the last number has neither a fraction nor an exponent. */
  private boolean whole;

  public NumberScanner(ByteWindow in, ReaderErrors errors) {
    this.in = in;
    this.errors = errors;
  }

  /** Finds the end of the number. */
  public void scan() {
    if (!scanShort()) {
      scanAny();
    }
  }

  /**
   * Finds the end of the number if it is one digit, or up to 17 digits without a leading zero, and
   * a comma or bracket follows: the common case. Returns whether it is.
   */
  public boolean scanShort() {
    byte[] bytes = in.bytes;
    int start = in.position;
    int limit = Math.min(in.end, start + SAFE_CHARS);
    int i = start;
    while (i < limit && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    length = i - start;
    whole = true;
    return i < limit
        && (bytes[i] == ',' || bytes[i] == '}' || bytes[i] == ']')
        && (length == 1 || (length > 1 && bytes[start] != '0'));
  }

  private void scanAny() {
    whole = true;
    int i = in.byteAt(0) == '-' ? 1 : 0;
    int integer = scanDigits(i);
    if (integer > i + 1 && in.byteAt(i) == '0') {
      throw errors.malformed("number with a leading zero", in.position + i);
    }
    i = integer;
    if (in.byteAt(i) == '.') {
      whole = false;
      i = scanDigits(i + 1);
    }
    if ((in.byteAt(i) | 0x20) == 'e') {
      whole = false;
      boolean signed = in.byteAt(i + 1) == '+' || in.byteAt(i + 1) == '-';
      i = scanDigits(signed ? i + 2 : i + 1);
    }
    length = i;
  }

  /**
   * Returns the end of the digits that begin at an index of the number; throws if there are none.
   */
  private int scanDigits(int from) {
    int i = from;
    for (int c = in.byteAt(i); c >= '0' && c <= '9'; c = in.byteAt(++i)) {
      if (i >= MAX_CHARS) {
        throw errors.unreadable("number of more than " + MAX_CHARS + " characters", in.position);
      }
    }
    if (i == from) {
      if (in.byteAt(i) < 0) {
        throw errors.truncated();
      }
      throw errors.malformed("expected a digit", in.position + i);
    }
    return i;
  }

  /** Returns whether the number is whole and so short that {@link #parse} takes it. */
  private boolean isShort() {
    return whole && length <= SAFE_CHARS;
  }

  /** Returns the value of a {@linkplain #isShort short} number. */
  public long parse() {
    boolean negative = in.bytes[in.position] == '-';
    long value = 0;
    for (int i = negative ? 1 : 0; i < length; i++) {
      value = value * 10 + (in.bytes[in.position + i] - '0');
    }
    return negative ? -value : value;
  }

  /**
   * Returns the number without loss: a {@link Long} if it is written as an integer and fits, else a
   * {@link Double} if the shortest decimal form of that is equal, else a {@link BigDecimal}.
   *
   * @return null if the exponent is beyond what a BigDecimal can have
   */
  public @Nullable Number number() {
    if (isShort()) {
      return parse();
    }
    String text = text();
    if (whole) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        // Too large; one of the others will do.
      }
    }
    double nearest = Double.parseDouble(text);
    if (length <= DOUBLE_DIGITS && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return nearest;
    }
    try {
      BigDecimal exact = new BigDecimal(text);
      boolean equal =
          Double.isFinite(nearest)
              && exact.compareTo(new BigDecimal(Double.toString(nearest))) == 0;
      return equal ? nearest : exact;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the number as it is written. */
  public String text() {
    return new String(in.bytes, in.position, length, ISO_8859_1);
  }

  /** Moves behind the number. */
  public void take() {
    in.position += length;
  }
}
