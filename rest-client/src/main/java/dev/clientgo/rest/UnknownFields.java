package dev.clientgo.rest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a change of an object, as its type knows it, over to the object as the server sent it,
 * which may have fields that the type does not know.
 *
 * <p>All are trees of JSON. A merge patch replaces lists as a whole, so what is unknown within the
 * elements of a list has to be put back into it: an element is taken for the same as before if it
 * is equal, or has the same name, or if nothing else tells, the same place.
 */
final class UnknownFields {

  /** What tells the elements of a list apart, as far as the API has conventions. */
  private static final List<String> IDENTITIES = List.of("name", "key", "uid", "type");

  private UnknownFields() {}

  /**
   * Returns the changed object with all that was unknown.
   *
   * @param raw what the server sent
   * @param before what the type knows of it
   * @param after what that has become
   */
  static @Nullable Object over(
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
            result.put(name, over(value, before.get(name), after.get(name)));
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
      result.add(old < 0 ? after.get(i) : over(raw.get(old), before.get(old), after.get(i)));
    }
    return result;
  }

  /** Returns where an element was before, or -1. */
  private static int indexBefore(List<?> before, List<?> after, int index) {
    Object element = after.get(index);
    int equal = before.indexOf(element);
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
