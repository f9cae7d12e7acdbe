package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.json.internal.collections.Absent;
import dev.clientgo.apimachinery.json.internal.collections.ArrayMap;
import dev.clientgo.apimachinery.json.internal.collections.SingletonList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable, compact collections for the components of API types.
 *
 * <p>A component is null if the list or map is absent. Its accessor returns {@link #orEmpty}: one
 * empty instance that stands for an absent one. {@link #list} and {@link #map} turn that instance
 * back into null, so a list or map that goes from one object to another stays absent. Any other
 * empty list or map, such as {@code List.of()}, is present and is sent as {@code []} or {@code {}}.
 */
public final class Immutable {

  private Immutable() {}

  /**
   * Returns an unmodifiable copy of a list, or the list itself if it is unmodifiable; null for an
   * absent list.
   */
  public static <T> @Nullable List<T> list(@Nullable List<T> list) {
    if (list == null || isAbsent(list)) {
      return null;
    }
    if (list instanceof SingletonList) {
      return list;
    }
    List<T> copy = List.copyOf(list);
    return copy.size() == 1 ? new SingletonList<>(copy.get(0)) : copy;
  }

  /**
   * Returns an unmodifiable copy of a map in the same order, or the map itself if it is such a
   * copy; null for an absent map. The copy takes two references per entry, and has a hash table if
   * it has more than 8 entries.
   */
  public static <K, V> @Nullable Map<K, V> map(@Nullable Map<K, V> map) {
    return map == null || isAbsent(map) ? null : ArrayMap.copyOf(map);
  }

  /** Returns a list for a reader: for null, the empty list that stands for an absent one. */
  public static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? Absent.list() : list;
  }

  /** Returns a map for a reader: for null, the empty map that stands for an absent one. */
  public static <K, V> Map<K, V> orEmpty(@Nullable Map<K, V> map) {
    return map == null ? Absent.map() : map;
  }

  /** Returns whether a list that an accessor returned is absent, and not an empty one. */
  public static boolean isAbsent(List<?> list) {
    return list == Absent.list();
  }

  /** Returns whether a map that an accessor returned is absent, and not an empty one. */
  public static boolean isAbsent(Map<?, ?> map) {
    return map == Absent.map();
  }
}
