package dev.clientgo.apimachinery.json;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Unmodifiable, compact collections for the components of API types; null stays null. */
public final class Immutable {

  private Immutable() {}

  /** Returns an unmodifiable copy of a list, or the list itself if it is one. */
  public static <T> @Nullable List<T> list(@Nullable List<T> list) {
    if (list == null || list instanceof SingletonList) {
      return list;
    }
    List<T> copy = List.copyOf(list);
    return copy.size() == 1 ? new SingletonList<>(copy.get(0)) : copy;
  }

  /**
   * Returns an unmodifiable copy of a map in the same order, or the map itself if it is one. It
   * takes two references an entry, and a hash table only where there are many.
   */
  public static <K, V> @Nullable Map<K, V> map(@Nullable Map<K, V> map) {
    return map == null ? null : ArrayMap.copyOf(map);
  }

  /** Returns an unmodifiable list of part of an array; nulls are allowed. */
  @SuppressWarnings("unchecked") // the caller vouches for the type
  static <T> List<T> list(@Nullable Object[] source, int from, int to) {
    if (to - from == 1 && source[from] != null) {
      return (List<T>) new SingletonList<>(source[from]);
    }
    Object[] elements = Arrays.copyOfRange(source, from, to);
    for (Object element : elements) {
      if (element == null) {
        return (List<T>) Collections.unmodifiableList(Arrays.asList(elements));
      }
    }
    return (List<T>) List.of(elements);
  }
}
