package dev.clientgo.apimachinery.patch;

import dev.clientgo.apimachinery.patch.PatchSchema.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges lists: as sets of values, or as objects that a key identifies. */
final class StrategicLists {

  private StrategicLists() {}

  /**
   * Returns a list with the changes of another list merged in.
   *
   * @param order the order that the patch requests; null for the order of its changes
   */
  static List<@Nullable Object> merge(
      List<?> there, List<?> changes, @Nullable List<?> order, Rule rule) {
    boolean objects = holdsObjects(there) || holdsObjects(changes);
    List<@Nullable Object> merged =
        objects ? mergeObjects(there, changes, rule) : unite(there, changes);
    List<?> wanted =
        order == null ? changes.stream().filter(StrategicLists::isNoDeletion).toList() : order;
    return inOrder(merged, wanted, there, objects ? rule.mergeKey() : null);
  }

  private static boolean holdsObjects(List<?> list) {
    return list.stream().anyMatch(Map.class::isInstance);
  }

  private static boolean isNoDeletion(@Nullable Object element) {
    return !(element instanceof Map<?, ?> map && map.containsKey(StrategicMergePatch.PATCH));
  }

  private static List<@Nullable Object> unite(List<?> there, List<?> changes) {
    List<@Nullable Object> united = new ArrayList<>();
    for (List<?> list : List.of(there, changes)) {
      for (Object value : list) {
        if (!united.contains(value)) {
          united.add(value);
        }
      }
    }
    return united;
  }

  private static List<@Nullable Object> mergeObjects(List<?> there, List<?> changes, Rule rule) {
    List<@Nullable Object> merged = new ArrayList<>(there);
    boolean replace =
        changes.stream()
            .anyMatch(change -> "replace".equals(object(change).get(StrategicMergePatch.PATCH)));
    if (replace) {
      merged.clear();
    }
    for (Object element : changes) {
      Map<String, @Nullable Object> change = object(element);
      @Nullable Object directive = change.get(StrategicMergePatch.PATCH);
      if ("replace".equals(directive)) {
        continue;
      }
      if (directive != null && !"delete".equals(directive)) {
        throw new PatchException("$patch: " + directive + " is not supported within a list");
      }
      int at = indexOf(merged, key(change, rule.mergeKey()), rule.mergeKey());
      if (directive != null) {
        if (at >= 0) {
          merged.remove(at);
        }
      } else if (at < 0) {
        merged.add(withoutDirectives(change));
      } else {
        merged.set(
            at, StrategicMergePatch.mergeElement(object(merged.get(at)), change, rule.schema()));
      }
    }
    return merged;
  }

  static Map<String, @Nullable Object> object(@Nullable Object element) {
    if (element instanceof Map<?, ?> map) {
      return Trees.map(map);
    }
    throw new PatchException("a list of objects holds " + Trees.describe(element));
  }

  /** Returns the identity of an element: the value of its key, or the element itself. */
  static @Nullable Object key(@Nullable Object element, @Nullable String mergeKey) {
    if (!(element instanceof Map<?, ?> map)) {
      return element;
    }
    if (mergeKey == null) {
      throw new PatchException("a list of objects cannot be merged, since its schema names no key");
    }
    if (!map.containsKey(mergeKey)) {
      throw new PatchException(
          Trees.describe(map) + " in a list does not contain its merge key \"" + mergeKey + "\"");
    }
    return map.get(mergeKey);
  }

  static int indexOf(List<?> list, @Nullable Object key, @Nullable String mergeKey) {
    for (int i = 0; i < list.size(); i++) {
      if (Trees.equal(key(list.get(i), mergeKey), key)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Sorts the elements that the patch names into its order. The others keep their order, and their
   * place relative to a named element if both were in the original list.
   */
  private static List<@Nullable Object> inOrder(
      List<@Nullable Object> merged, List<?> wanted, List<?> before, @Nullable String mergeKey) {
    List<@Nullable Object> named = new ArrayList<>();
    for (Object element : wanted) {
      int at = indexOf(merged, key(element, mergeKey), mergeKey);
      if (at >= 0) {
        named.add(merged.remove(at));
      }
    }
    List<@Nullable Object> result = new ArrayList<>();
    int next = 0;
    for (Object other : merged) {
      int place = indexOf(before, key(other, mergeKey), mergeKey);
      while (next < named.size() && !isBehind(named.get(next), place, before, mergeKey)) {
        result.add(named.get(next++));
      }
      result.add(other);
    }
    result.addAll(named.subList(next, named.size()));
    return result;
  }

  /** Returns whether an element was in the original list, behind the given place. */
  private static boolean isBehind(
      @Nullable Object element, int place, List<?> before, @Nullable String mergeKey) {
    int own = indexOf(before, key(element, mergeKey), mergeKey);
    return own >= 0 && place >= 0 && place < own;
  }

  /** Returns a copy of a new value without nulls and directives, which have no effect in it. */
  static @Nullable Object withoutDirectives(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> clean = new LinkedHashMap<>();
      map.forEach(
          (name, field) -> {
            String key = (String) name;
            if (field != null && !isDirective(key)) {
              clean.put(key, withoutDirectives(field));
            }
          });
      return clean;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> clean = new ArrayList<>();
      for (Object element : list) {
        if (isNoDeletion(element)) {
          clean.add(withoutDirectives(element));
        }
      }
      return clean;
    }
    return value;
  }

  static boolean isDirective(String name) {
    return name.equals(StrategicMergePatch.PATCH)
        || name.equals(StrategicMergePatch.RETAIN_KEYS)
        || name.startsWith(StrategicMergePatch.DELETE_FROM)
        || name.startsWith(StrategicMergePatch.SET_ORDER);
  }
}
