package dev.clientgo.apimachinery.json.internal.collections;

import static java.util.Objects.requireNonNull;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map in insertion order that takes two references per entry. Values may be null,
 * keys may not.
 *
 * <p>API objects have many small maps: labels, annotations, the objects of a tree. Up to {@value
 * #LINEAR} keys are compared one by one. Up to {@value #MAX_SIZE} there is also a hash table of one
 * byte per place. A larger map wraps a {@link LinkedHashMap}, which stays fast even if an attacker
 * chooses keys whose hashes collide.
 */
public class ArrayMap<K, V> implements Map<K, V> {

  /** The largest map whose keys are compared one by one. */
  static final int LINEAR = 8;

  /** The largest map of this class. */
  static final int MAX_SIZE = 127;

  private static final ArrayMap<?, ?> EMPTY = new ArrayMap<>(new Object[0]);

  /** Key, value, key, value. */
  final @Nullable Object[] entries;

  private ArrayMap(@Nullable Object[] entries) {
    this.entries = entries;
  }

  /** Returns a map without entries. */
  @SuppressWarnings("unchecked") // nothing in it is of any type
  static <K, V> Map<K, V> empty() {
    return (Map<K, V>) EMPTY;
  }

  /** Returns an unmodifiable copy, or the map itself if it is such a copy. */
  public static <K, V> Map<K, V> copyOf(Map<K, V> map) {
    if (map instanceof ArrayMap || map instanceof Large) {
      return map;
    }
    if (map.size() > MAX_SIZE) {
      return new Large<>(new LinkedHashMap<>(map));
    }
    @Nullable Object[] entries = new Object[map.size() * 2];
    int i = 0;
    for (Map.Entry<K, V> entry : map.entrySet()) {
      if (i == entries.length) {
        throw new ConcurrentModificationException();
      }
      entries[i++] = requireNonNull(entry.getKey(), "key");
      entries[i++] = entry.getValue();
    }
    return of(Arrays.copyOf(entries, i));
  }

  /**
   * Returns a map of keys and values that alternate in part of an array. Of equal keys the first
   * gives the position and the last the value.
   */
  public static <K, V> Map<K, V> copyOf(@Nullable Object[] source, int from, int to) {
    if ((to - from) / 2 > MAX_SIZE) {
      return large(source, from, to);
    }
    return of(Arrays.copyOfRange(source, from, to));
  }

  private static <K, V> Map<K, V> of(@Nullable Object[] entries) {
    if (entries.length == 0) {
      return empty();
    }
    if (entries.length <= LINEAR * 2) {
      ArrayMap<K, V> map = new ArrayMap<>(entries);
      for (int i = 2; i < entries.length; i += 2) {
        if (map.find(entries[i]) != i) {
          return large(entries, 0, entries.length);
        }
      }
      return map;
    }
    Indexed<K, V> map = new Indexed<>(entries);
    return map.index() ? map : large(entries, 0, entries.length);
  }

  /** Creates a map of many entries or of entries with equal keys; both are rare. */
  @SuppressWarnings({"unchecked", "NullAway"}) // the caller vouches for the types, null among them
  private static <K, V> Map<K, V> large(@Nullable Object[] source, int from, int to) {
    Map<K, V> map = new LinkedHashMap<>();
    for (int i = from; i < to; i += 2) {
      map.put((K) source[i], (V) source[i + 1]);
    }
    return map.size() <= MAX_SIZE ? copyOf(map) : new Large<>(map);
  }

  /** Returns the position of a key in {@link #entries}, or -1. */
  int find(@Nullable Object key) {
    for (int i = 0; i < entries.length; i += 2) {
      Object candidate = entries[i];
      if (candidate == key || (candidate != null && candidate.equals(key))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns a view that has the methods of {@link AbstractMap}, whose two fields this map saves.
   */
  private Map<K, V> full() {
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<K, V>> entrySet() {
        return ArrayMap.this.entrySet();
      }

      @Override
      public boolean containsKey(@Nullable Object key) {
        return ArrayMap.this.containsKey(key);
      }
    };
  }

  @Override
  public Set<K> keySet() {
    return full().keySet();
  }

  @Override
  public Collection<V> values() {
    return full().values();
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return full().containsValue(value);
  }

  @Override
  public boolean isEmpty() {
    return entries.length == 0;
  }

  @Override
  public V put(K key, V value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    throw new UnsupportedOperationException();
  }

  @Override
  public V remove(@Nullable Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || full().equals(other);
  }

  @Override
  public int hashCode() {
    return full().hashCode();
  }

  @Override
  public String toString() {
    return full().toString();
  }

  @Override
  public int size() {
    return entries.length / 2;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return find(key) >= 0;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int i = find(key);
    return i < 0 ? null : value(i);
  }

  @SuppressWarnings("unchecked")
  private K key(int i) {
    return (K) entries[i];
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // null only if V is nullable
  private V value(int i) {
    return (V) entries[i + 1];
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return ArrayMap.this.size();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new EntryIterator();
      }
    };
  }

  private final class EntryIterator implements Iterator<Map.Entry<K, V>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < entries.length;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Map.Entry<K, V> entry = new AbstractMap.SimpleImmutableEntry<>(key(next), value(next));
      next += 2;
      return entry;
    }
  }

  /** A map with a hash table of one byte per place: the number of the entry plus one, 0 if free. */
  private static final class Indexed<K, V> extends ArrayMap<K, V> {

    private final byte[] places;

    Indexed(@Nullable Object[] entries) {
      super(entries);
      // Between a quarter and half full, so a search takes one or two steps.
      this.places = new byte[Integer.highestOneBit(entries.length) * 2];
    }

    /** Fills the table; returns whether all keys differ. */
    boolean index() {
      for (int i = 0; i < entries.length; i += 2) {
        int place = place(entries[i]);
        if (places[place] != 0) {
          return false;
        }
        places[place] = (byte) (i / 2 + 1);
      }
      return true;
    }

    /** Returns the place of a key, or the free place where it belongs. */
    private int place(@Nullable Object key) {
      int hash = key == null ? 0 : key.hashCode() * 0x9E3779B9;
      int mask = places.length - 1;
      int place = (hash >>> 16) & mask;
      while (places[place] != 0) {
        Object candidate = entries[(places[place] - 1) * 2];
        if (candidate == key || (candidate != null && candidate.equals(key))) {
          return place;
        }
        place = (place + 1) & mask;
      }
      return place;
    }

    @Override
    int find(@Nullable Object key) {
      return (places[place(key)] - 1) * 2;
    }
  }

  /** An unmodifiable view of a large map. */
  private static final class Large<K, V> extends AbstractMap<K, V> {

    private final Map<K, V> map;

    Large(Map<K, V> map) {
      this.map = Collections.unmodifiableMap(map);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return map.containsKey(key);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
      return map.get(key);
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
      return map.entrySet();
    }
  }
}
