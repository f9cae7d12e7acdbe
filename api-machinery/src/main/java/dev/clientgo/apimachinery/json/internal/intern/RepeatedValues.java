package dev.clientgo.apimachinery.json.internal.intern;

import dev.clientgo.apimachinery.json.internal.projection.FieldTree;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of small values by the text that they were read from.
 *
 * <p>Parts of API objects repeat character by character: tolerations, probes, resources, the
 * managed fields of a kubelet. Since values are immutable, equal texts can have one value, which is
 * decoded once and is in the heap once. The cache of whole objects took a pod from 5.5 kB to 3.9 kB
 * (docs/benchmarks/informer.md).
 *
 * <p>The cache keeps a text that occurs a second time, so texts that do not repeat cost no memory.
 * Kinds of values that do not repeat are not looked up for a while. Not thread-safe.
 */
public final class RepeatedValues {

  /** The longest text that is looked up. */
  public static final int MAX_BYTES = 1 << 10;

  /** The number of texts that are remembered. */
  static final int TEXTS = 4 << 10;

  /** The number of kinds that are remembered: more than a server has. */
  static final int KINDS = 4 << 10;

  private final Pool pool = new Pool(TEXTS);
  private final SeenHashes seenHashes = new SeenHashes();
  private final Kinds kinds = new Kinds();

  /** The kinds of values that were read only in part, by the fields that were read. */
  private final Map<FieldTree, Kinds> kindsOfCut = new HashMap<>(0);

  /** The kinds of values that were read from the same fields. */
  private static final class Kinds {
    private final IdentityHashMap<Object, ValueKind> elements = new IdentityHashMap<>(8);
    private final IdentityHashMap<Object, ValueKind> lists = new IdentityHashMap<>(8);
  }

  /** Starts a generation, and drops the texts that were not found in the previous one. */
  public void startGeneration() {
    pool.startGeneration();
    seenHashes.startGeneration();
  }

  /** Sets whether the cache is closed: a closed cache finds texts, but remembers no new ones. */
  public void close(boolean closed) {
    pool.close(closed);
  }

  /**
   * Returns the kind of the values of a codec, or of lists of them.
   *
   * @param fields the fields that are read, null for all: the same text has another value if only
   *     some of its fields are read
   */
  public ValueKind kind(Object codec, boolean list, @Nullable FieldTree fields) {
    Kinds all = fields == null ? kinds : kindsOfCut(fields);
    IdentityHashMap<Object, ValueKind> byCodec = list ? all.lists : all.elements;
    ValueKind kind = byCodec.get(codec);
    if (kind == null) {
      kind = new ValueKind();
      if (byCodec.size() < KINDS) {
        byCodec.put(codec, kind);
      }
    }
    return kind;
  }

  private Kinds kindsOfCut(FieldTree fields) {
    Kinds known = kindsOfCut.get(fields);
    if (known == null) {
      known = new Kinds();
      if (kindsOfCut.size() < KINDS) {
        kindsOfCut.put(fields, known);
      }
    }
    return known;
  }

  /** Returns the value that was read from such a text before; null if it is unknown. */
  public @Nullable Object find(ValueKind kind, byte[] source, int from, int length, int hash) {
    RepeatedValue found = pool.find(kind, source, from, length, hash);
    return found == null ? null : found.value;
  }

  /** Returns whether a text of this hash was looked up before, and remembers the hash. */
  public boolean isRepeated(int hash) {
    return seenHashes.isKnown(hash);
  }

  /** Remembers the value of a text, which must not be changed. */
  public void keep(ValueKind kind, byte[] text, Object value, int hash) {
    pool.keep(new RepeatedValue(kind, text, value), hash);
  }
}
