package dev.clientgo.apimachinery.json;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Small values by the text that they were read from.
 *
 * <p>Parts of API objects repeat character by character: tolerations, probes, resources, the
 * managed fields of a kubelet. Since values are immutable, the same text can give the same value,
 * which is decoded once and is in the heap once.
 *
 * <p>A text is kept when it comes the second time, so texts that do not repeat cost no memory.
 * Kinds of values that do not repeat are not looked up for a while. Not thread-safe.
 */
final class RepeatedValues {

  /** Longer texts are not looked for. */
  static final int MAX_BYTES = 1 << 10;

  /** How many texts are remembered. */
  static final int TEXTS = 4 << 10;

  /** How many kinds can be remembered: more than a server has. */
  static final int KINDS = 4 << 10;

  private final Pool pool = new Pool(TEXTS);
  private final SeenHashes seenHashes = new SeenHashes();
  private final IdentityHashMap<JsonCodec<?>, ValueKind> elements = new IdentityHashMap<>(8);
  private final IdentityHashMap<JsonCodec<?>, ValueKind> lists = new IdentityHashMap<>(8);

  /** Starts a generation, and drops the texts that were not found in the one that ends. */
  void startGeneration() {
    pool.startGeneration();
    seenHashes.startGeneration();
  }

  /** Sets whether texts are found, but not remembered. */
  void close(boolean closed) {
    pool.close(closed);
  }

  /** Returns the kind of what a codec reads, or of lists of it. */
  ValueKind kind(JsonCodec<?> codec, boolean list) {
    IdentityHashMap<JsonCodec<?>, ValueKind> kinds = list ? lists : elements;
    ValueKind kind = kinds.get(codec);
    if (kind == null) {
      kind = new ValueKind();
      if (kinds.size() < KINDS) {
        kinds.put(codec, kind);
      }
    }
    return kind;
  }

  /** Returns the value that was read from such a text before; null if there is none. */
  @Nullable Object find(ValueKind kind, byte[] source, int from, int length, int hash) {
    RepeatedValue found = pool.find(kind, source, from, length, hash);
    return found == null ? null : found.value();
  }

  /** Returns whether a text with that hash was asked about before, and remembers it. */
  boolean isRepeated(int hash) {
    return seenHashes.isKnown(hash);
  }

  /** Remembers what was read from a text. */
  void keep(ValueKind kind, byte[] text, Object value, int hash) {
    // The text of raw JSON is its value.
    byte[] once = value instanceof RawJson raw && raw.length() == text.length ? raw.utf8() : text;
    pool.keep(new RepeatedValue(kind, once, value), hash);
  }
}
