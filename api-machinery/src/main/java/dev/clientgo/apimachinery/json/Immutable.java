package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.json.internal.collections.ArrayMap;
import dev.clientgo.apimachinery.json.internal.collections.SingletonList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Unmodifiable, compact collections for the components of API types; null stays null. */
public final class Immutable {

  private Immutable() {}

  /** Returns an unmodifiable copy of a list, or the list itself if it is unmodifiable. */
  public static <T> @Nullable List<T> list(@Nullable List<T> list) {
    if (list == null || list instanceof SingletonList) {
      return list;
    }
    List<T> copy = List.copyOf(list);
    return copy.size() == 1 ? new SingletonList<>(copy.get(0)) : copy;
  }

  /**
   * Returns an unmodifiable copy of a map in the same order, or the map itself if it is such a
   * copy. The copy takes two references per entry, and has a hash table if it has more than 8
   * entries.
   */
  public static <K, V> @Nullable Map<K, V> map(@Nullable Map<K, V> map) {
    return map == null ? null : ArrayMap.copyOf(map);
  }
}
