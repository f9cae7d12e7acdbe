package dev.clientgo.apimachinery.json.internal.intern;

import java.util.Arrays;

/** A value and the text that it was read from. */
final class RepeatedValue {

  private final ValueKind kind;
  private final byte[] text;
  final Object value;

  /**
   * @param text the text, which must not be changed
   */
  RepeatedValue(ValueKind kind, byte[] text, Object value) {
    this.kind = kind;
    this.text = text;
    this.value = value;
  }

  /** Returns whether part of an array is this text, of this kind. */
  boolean is(ValueKind kind, byte[] source, int from, int length) {
    return this.kind == kind
        && text.length == length
        && Arrays.equals(text, 0, length, source, from, from + length);
  }
}
