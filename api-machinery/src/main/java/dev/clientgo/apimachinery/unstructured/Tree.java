package dev.clientgo.apimachinery.unstructured;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.patch.JsonPointer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Immutable trees of JSON values: copies, look-ups, and edits that share the unchanged parts. */
final class Tree {

  private Tree() {}

  /**
   * Returns an unmodifiable copy in which all numbers are Longs, Doubles or BigDecimals.
   *
   * @throws IllegalArgumentException if a value has another type; the message names the place
   */
  static @Nullable Object copy(@Nullable Object value) {
    return copy(value, new ArrayList<>());
  }

  private static @Nullable Object copy(@Nullable Object value, List<String> path) {
    if (value == null || value instanceof String || value instanceof Boolean) {
      return value;
    }
    if (path.size() > JsonReader.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "tree of more than " + JsonReader.MAX_DEPTH + " levels at " + pointer(path));
    }
    if (value instanceof Map<?, ?> map) {
      return copyMap(map, path);
    } else if (value instanceof Iterable<?> list) {
      return copyList(list, path);
    } else if (value instanceof Number number) {
      return copyNumber(number, path);
    } else if (value instanceof RawJson json) {
      return json.reader().nextTree();
    }
    throw new IllegalArgumentException("JSON has no value of " + value.getClass() + at(path));
  }

  /** Returns a copy of a map, see {@link #copy}. */
  static Map<String, @Nullable Object> copyMap(Map<?, ?> map) {
    return copyMap(map, new ArrayList<>());
  }

  private static Map<String, @Nullable Object> copyMap(Map<?, ?> map, List<String> path) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (!(key instanceof String name)) {
            throw new IllegalArgumentException("JSON has no field named " + key + at(path));
          }
          path.add(name);
          copy.put(name, copy(value, path));
          path.remove(path.size() - 1);
        });
    return freeze(copy);
  }

  private static List<@Nullable Object> copyList(Iterable<?> list, List<String> path) {
    List<@Nullable Object> copy = new ArrayList<>();
    for (Object element : list) {
      path.add(Integer.toString(copy.size()));
      copy.add(copy(element, path));
      path.remove(path.size() - 1);
    }
    // List.of would return a list whose contains(null) throws.
    return Collections.unmodifiableList(copy);
  }

  private static Number copyNumber(Number number, List<String> path) {
    if (number instanceof Long) {
      return number;
    }
    // Converted like a reader does, so a tree equals the tree that is read from its own JSON.
    String text = number.toString();
    try {
      return JsonReader.of(text.getBytes(UTF_8)).nextNumber();
    } catch (CodecException e) {
      throw new IllegalArgumentException("JSON has no number " + text + at(path), e);
    }
  }

  static Map<String, @Nullable Object> freeze(Map<String, @Nullable Object> map) {
    return requireNonNull(Immutable.map(map));
  }

  /**
   * Returns the value at a path; null if there is none.
   *
   * @throws IllegalArgumentException if a value on the path is not a map
   */
  static @Nullable Object find(@Nullable Object tree, String... path) {
    Object value = tree;
    for (int i = 0; i < path.length && value != null; i++) {
      value = requireMap(value, path, i).get(path[i]);
    }
    return value;
  }

  /**
   * Returns a map with the value at a path. Adds missing maps on the path.
   *
   * @throws IllegalArgumentException if a value on the path is not a map
   */
  static Map<String, @Nullable Object> with(
      Map<String, @Nullable Object> map, @Nullable Object value, int from, String... path) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(map);
    String name = path[from];
    if (from == path.length - 1) {
      copy.put(name, value);
    } else {
      Map<String, @Nullable Object> inner =
          map.containsKey(name) ? requireMap(map.get(name), path, from + 1) : Map.of();
      copy.put(name, with(inner, value, from + 1, path));
    }
    return freeze(copy);
  }

  /** Returns a map without the value at a path; the same map if there is none. */
  static Map<String, @Nullable Object> without(
      Map<String, @Nullable Object> map, int from, String... path) {
    String name = path[from];
    if (!map.containsKey(name)) {
      return map;
    }
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(map);
    if (from == path.length - 1) {
      copy.remove(name);
      return freeze(copy);
    }
    if (!(map.get(name) instanceof Map<?, ?>)) {
      return map;
    }
    Map<String, @Nullable Object> inner = requireMap(map.get(name), path, from + 1);
    Map<String, @Nullable Object> changed = without(inner, from + 1, path);
    if (changed == inner) {
      return map;
    }
    copy.put(name, changed);
    return freeze(copy);
  }

  @SuppressWarnings("unchecked") // the keys in a tree are strings
  private static Map<String, @Nullable Object> requireMap(
      @Nullable Object value, String[] path, int length) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw mismatch("a map", value, Arrays.copyOf(path, length));
  }

  /** Returns a value that must be of a type. */
  static <T> T require(Class<T> type, String expected, Object value, String... path) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw mismatch(expected, value, path);
  }

  /** Checks that an element of the list or map at a path is a string. */
  static void requireString(@Nullable Object value, String name, String... path) {
    if (!(value instanceof String)) {
      String[] full = Arrays.copyOf(path, path.length + 1);
      full[path.length] = name;
      throw mismatch("a string", value, full);
    }
  }

  /** Returns the error for a value of another type than expected. */
  static IllegalArgumentException mismatch(
      String expected, @Nullable Object value, String... path) {
    return new IllegalArgumentException(
        "expected " + expected + ", found " + typeOf(value) + " at " + pointer(List.of(path)));
  }

  /** Returns a value as the tree that its codec writes. */
  @SuppressWarnings("unchecked") // codecs of objects write objects
  static <T> Map<String, @Nullable Object> of(JsonCodec<T> codec, T value) {
    Object tree = RawJson.of(codec, value).reader().nextTree();
    return (Map<String, @Nullable Object>) requireNonNull(tree);
  }

  /** Returns a reader of a tree's JSON. */
  static JsonReader reader(Object tree) {
    return RawJson.of(JsonCodecs.TREE, tree).reader();
  }

  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Map) {
      return "a map";
    } else if (value instanceof List) {
      return "a list";
    } else if (value instanceof String) {
      return "a string";
    } else if (value instanceof Boolean) {
      return "a boolean";
    } else {
      return "the number " + value;
    }
  }

  private static String at(List<String> path) {
    return path.isEmpty() ? "" : " at " + pointer(path);
  }

  /** Returns a path as an RFC 6901 pointer. */
  static String pointer(List<String> path) {
    return new JsonPointer(path).toString();
  }
}
