package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.json.internal.intern.Fingerprint;
import dev.clientgo.apimachinery.json.internal.intern.RepeatedValues;
import dev.clientgo.apimachinery.json.internal.intern.ValueKind;
import dev.clientgo.apimachinery.json.internal.intern.WeakValueCache;
import dev.clientgo.apimachinery.json.internal.projection.FieldTree;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Reads values, and returns a known value if the same text was read before. A text is the bytes of
 * a value in JSON or in protobuf.
 *
 * <p>{@link WeakValueCache} has the large values that an object still holds, {@link RepeatedValues}
 * the small values that repeat.
 */
final class ValueCache {

  private final JsonReader reader;
  private final Place place;
  private final DecodeContext context;

  /**
   * The JVM computes it with the processor's instruction, even in code that is not yet compiled:
   * ten times faster than a loop over the bytes.
   */
  private final CRC32 crc = new CRC32();

  /** Whether the reader is within a large value, which the cache keeps as a whole. */
  private boolean within;

  ValueCache(JsonReader reader, Place place, DecodeContext context) {
    this.reader = reader;
    this.place = place;
    this.context = context;
  }

  /** A reader at a value whose text is looked up. */
  interface Place {

    /** Returns the length of the text; 0 if that is above the limit, or not known. */
    int measure(int limit);

    /** Returns the array that contains the text after {@link #measure}. */
    byte[] bytes();

    /** Returns where the text begins in the array. */
    int start();

    /** Moves behind the value, whose text has this length. */
    void pass(int length);
  }

  /**
   * Reads the value at the position.
   *
   * @param list whether the value is a list of the codec's values
   */
  Object read(JsonCodec<?> codec, boolean list) {
    if (!context.isSharing()) {
      return readAnew(codec, list);
    }
    FieldTree fields = reader.cut.tree(reader.depth() + 1);
    ValueKind kind = context.repeatedValues().kind(codec, list, fields);
    WeakValueCache texts = context.weakValues();
    // The parts of a large value are kept with it. But raw JSON is looked up by itself: the fields
    // of a manager repeat, while the entry around them has a time.
    if (texts == null || (within && codec != RawJson.CODEC)) {
      return readSmall(kind, codec, list);
    }
    int length = place.measure(WeakValueCache.MAX_BYTES);
    return length < WeakValueCache.MIN_BYTES
        ? readSmall(kind, codec, list)
        : readLarge(texts, length, kind, codec, list);
  }

  private Object readLarge(
      WeakValueCache texts, int length, ValueKind kind, JsonCodec<?> codec, boolean list) {
    Fingerprint text = texts.fingerprint(place.bytes(), place.start(), length);
    Object known = texts.find(kind, text);
    if (known != null) {
      place.pass(length);
      return known;
    }
    boolean outer = within;
    within = true;
    try {
      Object value = readAnew(codec, list);
      if (!context.isReadingDeleted()) {
        texts.keep(kind, text, value);
      }
      return value;
    } finally {
      within = outer;
    }
  }

  /** Looks up a small value. A known text is well-formed, since it was read before. */
  private Object readSmall(ValueKind kind, JsonCodec<?> codec, boolean list) {
    if (!kind.isWorthwhile()) {
      return readAnew(codec, list);
    }
    int length = place.measure(RepeatedValues.MAX_BYTES);
    if (length == 0) {
      kind.looked(false);
      return readAnew(codec, list);
    }
    RepeatedValues texts = context.repeatedValues();
    int hash = hash(length);
    Object known = texts.find(kind, place.bytes(), place.start(), length, hash);
    if (known != null) {
      kind.looked(true);
      place.pass(length);
      return known;
    }
    if (context.isReadingDeleted()) {
      return readAnew(codec, list);
    }
    boolean repeated = texts.isRepeated(hash);
    kind.looked(repeated);
    if (!repeated) {
      return readAnew(codec, list);
    }
    byte[] text = Arrays.copyOfRange(place.bytes(), place.start(), place.start() + length);
    Object value = readAnew(codec, list);
    // Raw JSON is its own text, so one array is enough.
    byte[] once = value instanceof RawJson raw && raw.length() == length ? raw.utf8() : text;
    texts.keep(kind, once, value, hash);
    return value;
  }

  private int hash(int length) {
    crc.reset();
    crc.update(place.bytes(), place.start(), length);
    return (int) crc.getValue();
  }

  private Object readAnew(JsonCodec<?> codec, boolean list) {
    return list ? reader.readList(codec) : codec.read(reader);
  }
}
