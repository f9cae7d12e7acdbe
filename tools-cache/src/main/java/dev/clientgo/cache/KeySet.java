package dev.clientgo.cache;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of keys in an open-addressed table without nodes. An index by namespace holds every key of
 * the store: a key takes 6 to 12 bytes here and 37 to 43 in a {@code HashSet}, which is 5 % of the
 * 605 bytes of an object in docs/benchmarks/scale.md.
 *
 * <p>Not safe for use by many threads; the store's lock guards it.
 */
final class KeySet {

  private static final int INITIAL_CAPACITY = 4;

  /** Its length is a power of two, and at least one slot in three is free. */
  private @Nullable String[] table = new @Nullable String[INITIAL_CAPACITY];

  private int size;

  int size() {
    return size;
  }

  boolean contains(String key) {
    return table[slotOf(key)] != null;
  }

  /** Adds the key; returns false if it was there. */
  boolean add(String key) {
    int slot = slotOf(key);
    if (table[slot] != null) {
      return false;
    }
    table[slot] = key;
    size++;
    if (size * 3 > table.length * 2) {
      resize(table.length * 2);
    }
    return true;
  }

  /** Removes the key; returns false if it was not there. */
  boolean remove(String key) {
    int slot = slotOf(key);
    if (table[slot] == null) {
      return false;
    }
    closeGap(slot);
    size--;
    if (table.length > INITIAL_CAPACITY && size * 6 < table.length) {
      resize(table.length / 2);
    }
    return true;
  }

  void forEach(Consumer<? super String> action) {
    for (String key : table) {
      if (key != null) {
        action.accept(key);
      }
    }
  }

  /** Returns the slot that holds the key, or the free slot where it belongs. */
  private int slotOf(String key) {
    int mask = table.length - 1;
    int slot = home(key, mask);
    for (String found; (found = table[slot]) != null && !found.equals(key); ) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /**
   * Frees a slot and moves the keys behind it up, so that every key can still be reached from its
   * home slot without passing a free one.
   */
  private void closeGap(int gap) {
    int mask = table.length - 1;
    int slot = gap;
    while (true) {
      slot = (slot + 1) & mask;
      String key = table[slot];
      if (key == null) {
        table[gap] = null;
        return;
      }
      int distanceFromHome = (slot - home(key, mask)) & mask;
      int distanceFromGap = (slot - gap) & mask;
      if (distanceFromHome >= distanceFromGap) {
        table[gap] = key;
        gap = slot;
      }
    }
  }

  private void resize(int capacity) {
    @Nullable String[] old = table;
    table = new @Nullable String[capacity];
    for (String key : old) {
      if (key != null) {
        table[slotOf(key)] = key;
      }
    }
  }

  /** Spreads the hash: keys that differ only in their last letters would lie side by side. */
  private static int home(String key, int mask) {
    int hash = key.hashCode() * 0x9E3779B9;
    return (hash ^ (hash >>> 16)) & mask;
  }
}
