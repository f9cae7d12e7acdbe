package dev.clientgo.envtest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reading and copy-on-write editing of JSON objects kept as unmodifiable maps. What a path does not
 * find is absent, also where something on the way is not an object.
 */
final class Tree {

  private Tree() {}

  /** Returns the value at a path, or null. */
  static @Nullable Object get(Map<String, Object> object, String... path) {
    Object value = object;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }

  /** Returns the string at a path, or the empty string. */
  static String string(Map<String, Object> object, String... path) {
    return get(object, path) instanceof String string ? string : "";
  }

  /** Returns the whole number at a path, or null. */
  static @Nullable Long number(Map<String, Object> object, String... path) {
    return get(object, path) instanceof Number number ? (Long) number.longValue() : null;
  }

  /** Returns the object at a path, or an empty one. */
  static Map<String, Object> object(Map<String, Object> object, String... path) {
    return asObject(get(object, path));
  }

  /** Returns the objects of the list at a path; none if there is no list. */
  static List<Map<String, Object>> objects(Map<String, Object> object, String... path) {
    List<Map<String, Object>> objects = new ArrayList<>();
    if (get(object, path) instanceof List<?> list) {
      list.forEach(element -> objects.add(asObject(element)));
    }
    return objects;
  }

  /** Returns the strings of the list at a path; none if there is no list. */
  static List<String> strings(Map<String, Object> object, String... path) {
    return get(object, path) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  /** Returns the string values of the object at a path; none if there is no object. */
  static Map<String, String> stringMap(Map<String, Object> object, String... path) {
    Map<String, String> strings = new LinkedHashMap<>();
    object(object, path)
        .forEach(
            (name, value) -> {
              if (value instanceof String string) {
                strings.put(name, string);
              }
            });
    return strings;
  }

  /** Returns the value as an object, or an empty one. */
  @SuppressWarnings("unchecked") // The keys of a JSON object are strings.
  static Map<String, Object> asObject(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** Returns a copy with a value at a path; null removes what is there. */
  static Map<String, Object> with(
      Map<String, Object> object, @Nullable Object value, String... path) {
    return with(object, value, path, 0);
  }

  private static Map<String, Object> with(
      Map<String, Object> object, @Nullable Object value, String[] path, int depth) {
    String name = path[depth];
    Object present = object.get(name);
    if (value == null && !(depth == path.length - 1 || present instanceof Map)) {
      return object;
    }
    Object replacement =
        depth == path.length - 1 ? value : with(asObject(present), value, path, depth + 1);
    if (replacement == null && !object.containsKey(name)) {
      return object;
    }
    Map<String, Object> copy = new LinkedHashMap<>(object);
    if (replacement == null) {
      copy.remove(name);
    } else {
      copy.put(name, replacement);
    }
    return Collections.unmodifiableMap(copy);
  }

  /** Returns an object with the fields of one and then those of another. */
  static Map<String, Object> concat(Map<String, Object> first, Map<String, Object> second) {
    Map<String, Object> all = new LinkedHashMap<>(first);
    all.putAll(second);
    return Collections.unmodifiableMap(all);
  }

  /** Returns an object of the given names and values; null values are left out. */
  static Map<String, Object> of(@Nullable Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (value != null) {
        map.put(String.valueOf(namesAndValues[i]), value);
      }
    }
    return Collections.unmodifiableMap(map);
  }
}
