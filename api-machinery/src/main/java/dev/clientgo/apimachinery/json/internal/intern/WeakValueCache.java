package dev.clientgo.apimachinery.json.internal.intern;

import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of large values by the text that they were read from, as long as an object holds them.
 *
 * <p>Most events bring an object that the store already has, with a small change: each change of a
 * pod's status brings its spec. A relist brings all objects again. The cache finds such a part by
 * the {@link Fingerprint} of its text. Then the reader need not decode it, and the new object
 * shares it with the old one.
 *
 * <p>The cache keeps no text, and holds the values weakly, so an object that has left the store can
 * be collected. An entry takes about 48 bytes, which is why {@link RepeatedValues} has the small
 * values. Not thread-safe.
 */
public final class WeakValueCache {

  /** The shortest text that is remembered. */
  public static final int MIN_BYTES = 512;

  /** The longest text that is remembered. */
  public static final int MAX_BYTES = 64 << 10;

  private final Fingerprint.Places places = Fingerprint.Places.any();
  private final IdentityHashMap<ValueKind, Table> tables = new IdentityHashMap<>();

  private static final class WeakValue extends WeakReference<Object> {

    private final long a;
    private final int b;

    WeakValue(Fingerprint text, Object value) {
      super(value);
      this.a = text.a();
      this.b = text.b();
    }

    boolean is(Fingerprint text) {
      return a == text.a() && b == text.b();
    }
  }

  /** The values of one kind. */
  private static final class Table {

    private static final int FIRST_PLACES = 16;

    private @Nullable WeakValue[] texts = new WeakValue[FIRST_PLACES];
    private int taken;

    @Nullable Object find(Fingerprint text) {
      WeakValue found = texts[place(text)];
      return found == null ? null : found.get();
    }

    void keep(Fingerprint text, Object value) {
      if (taken >= texts.length / 4 * 3) {
        sweep();
      }
      int place = place(text);
      if (texts[place] == null) {
        taken++;
      }
      texts[place] = new WeakValue(text, value);
    }

    /** Returns the place of a text, or the free place where it belongs. */
    private int place(Fingerprint text) {
      int place = (int) text.a() & (texts.length - 1);
      for (WeakValue each; (each = texts[place]) != null && !each.is(text); ) {
        place = (place + 1) & (texts.length - 1);
      }
      return place;
    }

    /** Drops collected values; the new table is at most half full. */
    private void sweep() {
      WeakValue[] old = texts;
      int living = 0;
      for (WeakValue each : old) {
        living += each != null && each.get() != null ? 1 : 0;
      }
      int length = FIRST_PLACES;
      while (length < living * 2) {
        length *= 2;
      }
      texts = new WeakValue[length];
      taken = 0;
      for (WeakValue each : old) {
        if (each != null && each.get() != null) {
          int place = (int) each.a & (length - 1);
          while (texts[place] != null) {
            place = (place + 1) & (length - 1);
          }
          texts[place] = each;
          taken++;
        }
      }
    }
  }

  /** Returns the fingerprint of a text. */
  public Fingerprint fingerprint(byte[] source, int from, int length) {
    return Fingerprint.of(source, from, length, places);
  }

  /**
   * Returns the value that was read from such a text before; null if it is unknown or collected.
   */
  public @Nullable Object find(ValueKind kind, Fingerprint text) {
    Table table = tables.get(kind);
    return table == null ? null : table.find(text);
  }

  /** Remembers the value of a text. */
  public void keep(ValueKind kind, Fingerprint text, Object value) {
    Table table = tables.get(kind);
    if (table == null) {
      table = new Table();
      tables.put(kind, table);
    }
    table.keep(text, value);
  }

  /** Forgets collected values. */
  public void sweep() {
    tables.values().forEach(Table::sweep);
  }

  /** Returns the number of values, including collected ones. */
  int size() {
    return tables.values().stream().mapToInt(table -> table.taken).sum();
  }
}
