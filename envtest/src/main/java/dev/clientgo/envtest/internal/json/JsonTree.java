package dev.clientgo.envtest.internal.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON objects as maps: making those that the server says, and looking into those that clients say.
 * What a path does not find is absent, also where something on the way is not an object.
 */
public final class JsonTree {

  private JsonTree() {}

  /** Returns an object of the given names and values; null values are left out. */
  public static Map<String, Object> of(@Nullable Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (value != null) {
        map.put(String.valueOf(namesAndValues[i]), value);
      }
    }
    return Collections.unmodifiableMap(map);
  }

  /** Returns the value as an object, or an empty one. */
  @SuppressWarnings("unchecked")
  public // The keys of a JSON object are strings.
  static Map<String, Object> asObject(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** Returns the value at a path, or null. */
  public static @Nullable Object get(Map<String, Object> object, String... path) {
    Object value = object;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }

  /** Returns the string at a path, or the empty string. */
  public static String string(Map<String, Object> object, String... path) {
    return get(object, path) instanceof String string ? string : "";
  }

  /** Returns the whole number at a path, or null. */
  public static @Nullable Long number(Map<String, Object> object, String... path) {
    return get(object, path) instanceof Number number ? (Long) number.longValue() : null;
  }

  /** Returns the object at a path, or an empty one. */
  public static Map<String, Object> object(Map<String, Object> object, String... path) {
    return asObject(get(object, path));
  }

  /** Returns the objects of the list at a path; none if there is no list. */
  public static List<Map<String, Object>> objects(Map<String, Object> object, String... path) {
    return get(object, path) instanceof List<?> list
        ? list.stream().map(JsonTree::asObject).toList()
        : List.of();
  }

  /** Returns the strings of the list at a path; none if there is no list. */
  public static List<String> strings(Map<String, Object> object, String... path) {
    return get(object, path) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }
}
