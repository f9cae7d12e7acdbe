package dev.clientgo.apimachinery.json;

import java.util.Arrays;

/** A value, and the text that a codec read it from. */
final class SharedText {

  private final JsonCodec<?> codec;
  private final byte[] text;
  private final Object value;

  /**
   * Creates an instance.
   *
   * @param codec the codec, which reads the same from the same text
   * @param text the text, which must not be changed
   */
  SharedText(JsonCodec<?> codec, byte[] text, Object value) {
    this.codec = codec;
    this.text = text;
    this.value = value;
  }

  Object value() {
    return value;
  }

  /** Returns whether that codec reads this value from part of an array. */
  boolean isReadBy(JsonCodec<?> codec, byte[] source, int from, int length) {
    return this.codec == codec
        && text.length == length
        && Arrays.equals(text, 0, length, source, from, from + length);
  }
}
