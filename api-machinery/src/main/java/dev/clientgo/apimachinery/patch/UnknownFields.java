package dev.clientgo.apimachinery.patch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Restores the fields that a type does not know, so that an edit does not lose them.
 *
 * <p>All values are JSON trees. A merge patch replaces a list as a whole, so unknown fields inside
 * its elements must be put back. Two elements count as the same if they are equal, have the same
 * name or, failing that, the same index.
 */
public final class UnknownFields {

  /** The fields that identify an element of a list by the conventions of the API. */
  private static final List<String> IDENTITIES = List.of("name", "key", "uid", "type");

  private UnknownFields() {}

  /**
   * Returns the changed object with the unknown fields of the original.
   *
   * @param raw the object as the server sent it
   * @param before the object as its type reads it
   * @param after the changed object
   */
  public static @Nullable Object restore(
      @Nullable Object raw, @Nullable Object before, @Nullable Object after) {
    if (Objects.equals(before, after)) {
      return raw;
    }
    if (raw instanceof Map<?, ?> r
        && before instanceof Map<?, ?> b
        && after instanceof Map<?, ?> a) {
      return map(r, b, a);
    }
    return raw instanceof List<?> r
            && before instanceof List<?> b
            && after instanceof List<?> a
            && r.size() == b.size()
        ? list(r, b, a)
        : after;
  }

  private static Map<Object, @Nullable Object> map(
      Map<?, ?> raw, Map<?, ?> before, Map<?, ?> after) {
    Map<Object, @Nullable Object> result = new LinkedHashMap<>();
    raw.forEach(
        (name, value) -> {
          if (after.containsKey(name)) {
            result.put(name, restore(value, before.get(name), after.get(name)));
          } else if (!before.containsKey(name)) {
            result.put(name, value);
          }
        });
    after.forEach(result::putIfAbsent);
    return result;
  }

  private static List<@Nullable Object> list(List<?> raw, List<?> before, List<?> after) {
    List<@Nullable Object> result = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      int old = indexBefore(before, after, i);
      result.add(old < 0 ? after.get(i) : restore(raw.get(old), before.get(old), after.get(i)));
    }
    return result;
  }

  /** Returns the former index of an element, or -1. */
  private static int indexBefore(List<?> before, List<?> after, int index) {
    Object element = after.get(index);
    int equal = element == null ? -1 : before.indexOf(element); // List.of has no null.
    if (equal >= 0 || !(element instanceof Map<?, ?> map)) {
      return equal;
    }
    for (String identity : IDENTITIES) {
      if (map.get(identity) instanceof String name) {
        return indexOf(before, identity, name);
      }
    }
    return before.size() == after.size() ? index : -1;
  }

  private static int indexOf(List<?> elements, String identity, String name) {
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof Map<?, ?> map && name.equals(map.get(identity))) {
        return i;
      }
    }
    return -1;
  }
}
