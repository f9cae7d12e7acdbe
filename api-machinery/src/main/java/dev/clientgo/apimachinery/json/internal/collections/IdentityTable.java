package dev.clientgo.apimachinery.json.internal.collections;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A map from objects, by identity, to numbers that are not negative. It takes 12 bytes per place,
 * and at most two thirds of the places are taken. Not thread-safe.
 */
public final class IdentityTable {

  /** The result of {@link #put} for an object that was not in the table. */
  public static final int NONE = -1;

  private static final int FIRST_PLACES = 1 << 10;

  private @Nullable Object[] keys = new Object[FIRST_PLACES];
  private int[] values = new int[FIRST_PLACES];
  private int size;

  /** Returns the number of an object, or {@link #NONE}. */
  public int get(Object key) {
    int place = place(key);
    return keys[place] == null ? NONE : values[place];
  }

  /** Sets the number of an object. */
  public void put(Object key, int value) {
    int place = place(key);
    if (keys[place] == null) {
      if (++size > keys.length / 3 * 2) {
        grow();
        place = place(key);
      }
      keys[place] = key;
    }
    values[place] = value;
  }

  private int place(Object key) {
    int hash = System.identityHashCode(key) * 0x9E3779B9;
    int place = (hash ^ (hash >>> 15)) & (keys.length - 1);
    while (keys[place] != null && keys[place] != key) {
      place = (place + 1) & (keys.length - 1);
    }
    return place;
  }

  private void grow() {
    @Nullable Object[] oldKeys = keys;
    int[] oldValues = values;
    keys = new Object[2 * oldKeys.length];
    values = Arrays.copyOf(oldValues, 2 * oldValues.length);
    for (int i = 0; i < oldKeys.length; i++) {
      Object key = oldKeys[i];
      if (key != null) {
        int place = place(key);
        keys[place] = key;
        values[place] = oldValues[i];
      }
    }
  }
}
