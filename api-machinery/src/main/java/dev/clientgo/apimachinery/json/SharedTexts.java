package dev.clientgo.apimachinery.json;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Values by the text that they were read from.
 *
 * <p>The parts of API objects repeat character by character: tolerations, probes, resources, the
 * managed fields of a kubelet. Since values are immutable, the same text can give the same value,
 * which is then in the heap once, and need not be decoded again.
 *
 * <p>A text is kept when it comes the second time, so those that do not repeat cost no memory.
 * Types whose values do not repeat are left alone for a while. Not safe for use by many threads.
 */
final class SharedTexts {

  /** Longer texts are not looked for. */
  static final int MAX_BYTES = 1 << 10;

  /** How many texts are remembered. */
  static final int TEXTS = 4 << 10;

  /** How many types can be remembered: more than a server has. */
  static final int TYPES = 4 << 10;

  private final Pool pool = new Pool(TEXTS);
  private final Doorkeeper doorkeeper = new Doorkeeper();
  private final IdentityHashMap<JsonCodec<?>, Repetition> elements = new IdentityHashMap<>(8);
  private final IdentityHashMap<JsonCodec<?>, Repetition> lists = new IdentityHashMap<>(8);

  /** Returns what is known of the values that a codec reads, or of lists of them. */
  Repetition type(JsonCodec<?> codec, boolean list) {
    IdentityHashMap<JsonCodec<?>, Repetition> types = list ? lists : elements;
    Repetition type = types.get(codec);
    if (type == null) {
      type = new Repetition();
      if (types.size() < TYPES) {
        types.put(codec, type);
      }
    }
    return type;
  }

  /**
   * Returns the value that the codec has read from such a text before; null if there is none.
   *
   * @param length the length of the text, 0 if it is too long
   */
  @Nullable Object find(JsonCodec<?> codec, byte[] source, int from, int length, int hash) {
    SharedText found = length == 0 ? null : pool.find(codec, source, from, length, hash);
    return found == null ? null : found.value();
  }

  /** Returns whether a text with that hash was asked about before, and remembers it. */
  boolean isRepeated(int hash) {
    return doorkeeper.isKnown(hash);
  }

  /** Remembers what a codec has read. */
  void keep(JsonCodec<?> codec, byte[] text, Object value, int hash) {
    // The text of raw JSON is its value.
    byte[] once = value instanceof RawJson raw && raw.length() == text.length ? raw.utf8() : text;
    pool.keep(new SharedText(codec, once, value), hash);
  }
}
