package dev.clientgo.apimachinery.json;

import java.util.Arrays;

/**
 * Reads objects and arrays whose text may have been read before: then the value is found, and need
 * not be read again.
 *
 * <p>Large ones that somebody still holds are looked for in {@link LivingTexts}, small ones that
 * repeat in {@link SharedTexts}.
 */
final class Recall {

  private final Utf8Reader reader;
  private final ByteWindow in;
  private final DecodeContext context;
  private final Outline outline;

  /** Whether the position is in a value that will be kept whole. */
  private boolean within;

  Recall(Utf8Reader reader, ByteWindow in, DecodeContext context) {
    this.reader = reader;
    this.in = in;
    this.context = context;
    this.outline = new Outline(in);
  }

  /**
   * Reads the object or array at the position.
   *
   * @param list whether it is a list of what the codec reads
   */
  Object read(JsonCodec<?> codec, boolean list) {
    LivingTexts texts = within ? null : context.livingTexts();
    int length = texts == null ? 0 : outline.measure(LivingTexts.MAX_BYTES);
    return texts == null || length < LivingTexts.MIN_BYTES
        ? readSmall(codec, list)
        : readLarge(texts, length, codec, list);
  }

  private Object readLarge(LivingTexts texts, int length, JsonCodec<?> codec, boolean list) {
    Fingerprint text = texts.fingerprint(in.bytes, in.position, length);
    Object known = texts.find(codec, text);
    if (known != null) {
      reader.pass(length);
      return known;
    }
    within = true;
    try {
      Object value = readAnew(codec, list);
      texts.keep(codec, text, value);
      return value;
    } finally {
      within = false;
    }
  }

  /** If the text was read before, it is as well-formed now as it was then. */
  private Object readSmall(JsonCodec<?> codec, boolean list) {
    SharedTexts texts = context.texts();
    Repetition type = texts.type(codec, list);
    if (!type.isWorthwhile()) {
      return readAnew(codec, list);
    }
    int length = outline.measure(SharedTexts.MAX_BYTES);
    int hash = outline.hash(length);
    Object known = texts.find(codec, in.bytes, in.position, length, hash);
    if (known != null) {
      type.looked(true);
      reader.pass(length);
      return known;
    }
    boolean repeated = length > 0 && texts.isRepeated(hash);
    type.looked(repeated);
    if (!repeated) {
      return readAnew(codec, list);
    }
    byte[] text = Arrays.copyOfRange(in.bytes, in.position, in.position + length);
    Object value = readAnew(codec, list);
    texts.keep(codec, text, value, hash);
    return value;
  }

  private Object readAnew(JsonCodec<?> codec, boolean list) {
    return (list ? new Elements<>(codec) : codec).read(reader);
  }
}
