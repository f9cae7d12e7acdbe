package dev.clientgo.apimachinery.json;

import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Reads values, and returns a known value if the same text was read before. A text is the bytes of
 * a value in JSON or in protobuf.
 *
 * <p>{@link WeakValueCache} knows large values as long as an object holds them, {@link
 * RepeatedValues} small values that repeat.
 */
final class ValueCache {

  private final JsonReader reader;
  private final Place place;
  private final DecodeContext context;

  /**
   * The JVM computes it with instructions made for it, whether the code around is compiled or not:
   * ten times faster than a loop over the bytes.
   */
  private final CRC32 crc = new CRC32();

  /** Whether the position is in a value that will be kept whole. */
  private boolean within;

  ValueCache(JsonReader reader, Place place, DecodeContext context) {
    this.reader = reader;
    this.place = place;
    this.context = context;
  }

  /** Where the reader is: at a value whose text is to be looked for. */
  interface Place {

    /** Returns the length of the text; 0 if that is above the limit, or not known. */
    int measure(int limit);

    /** Returns the array that the text is in, once it has been measured. */
    byte[] bytes();

    /** Returns where in the array it begins. */
    int start();

    /** Moves behind the value, whose text is so long. */
    void pass(int length);
  }

  /**
   * Reads the value at the position.
   *
   * @param list whether it is a list of what the codec reads
   */
  Object read(JsonCodec<?> codec, boolean list) {
    ValueKind kind = context.repeatedValues().kind(codec, list);
    WeakValueCache texts = context.weakValues();
    // What is within a value is kept with it. But raw JSON may repeat where what is around it does
    // not: the fields that a manager has, and when it took them.
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

  /** If the text was read before, it is as well-formed now as it was then. */
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
    texts.keep(kind, text, value, hash);
    return value;
  }

  private int hash(int length) {
    crc.reset();
    crc.update(place.bytes(), place.start(), length);
    return (int) crc.getValue();
  }

  private Object readAnew(JsonCodec<?> codec, boolean list) {
    return (list ? new ListCodec<>(codec) : codec).read(reader);
  }
}
