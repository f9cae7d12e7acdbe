package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Reads the number at the position of a window. */
final class NumberScanner {

  /** Longer numbers are refused: conversion takes time that grows with the square of the length. */
  private static final int MAX_CHARS = 1000;

  /** A whole number of so many characters fits into 64 bits. */
  private static final int SAFE_CHARS = 18;

  private final ByteWindow in;
  private final ReaderErrors errors;

  /** Of the number that was scanned last: its characters, ... */
  private int length;

  /** ... and whether it has neither a fraction nor an exponent. */
  private boolean whole;

  NumberScanner(ByteWindow in, ReaderErrors errors) {
    this.in = in;
    this.errors = errors;
  }

  /** Finds the end of the number. */
  void scan() {
    if (!scanShort()) {
      scanAny();
    }
  }

  /**
   * The fast path: some digits that begin with no zero, or one digit, and what ends a number in a
   * text without white space. Returns whether it is that.
   */
  boolean scanShort() {
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

  /** Returns where the digits end that must be at a place of the number. */
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
  boolean isShort() {
    return whole && length <= SAFE_CHARS;
  }

  /** Returns whether the number has neither a fraction nor an exponent. */
  boolean isWhole() {
    return whole;
  }

  /** Returns the value of a {@linkplain #isShort short} number. */
  long parse() {
    boolean negative = in.bytes[in.position] == '-';
    long value = 0;
    for (int i = negative ? 1 : 0; i < length; i++) {
      value = value * 10 + (in.bytes[in.position + i] - '0');
    }
    return negative ? -value : value;
  }

  /** Returns the number as it is written. */
  String text() {
    return new String(in.bytes, in.position, length, ISO_8859_1);
  }

  /** Moves behind the number. */
  void take() {
    in.position += length;
  }
}
