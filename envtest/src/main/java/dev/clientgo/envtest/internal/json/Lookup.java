package dev.clientgo.envtest.internal.json;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looking into objects that clients have sent, of which nobody knows whether they have the right
 * shape. What is of another type is absent.
 */
public final class Lookup {

  private Lookup() {}

  /** Returns the string at a path, or the empty string. */
  public static String string(Unstructured object, String... path) {
    return find(object, path).filter(String.class::isInstance).map(String.class::cast).orElse("");
  }

  /** Returns the string, number or truth value at a path as text, or the empty string. */
  public static String text(Unstructured object, String... path) {
    return find(object, path)
        .filter(value -> !(value instanceof Map || value instanceof List))
        .map(String::valueOf)
        .orElse("");
  }

  /** Returns the number at a path. */
  public static Optional<Long> number(Unstructured object, String... path) {
    return find(object, path).filter(Long.class::isInstance).map(Long.class::cast);
  }

  /** Returns the strings of the list at a path; none if there is no list. */
  public static List<String> strings(Unstructured object, String... path) {
    return find(object, path).orElse(List.of()) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  /** Returns the objects of the list at a path; none if there is no list. */
  public static List<Map<String, Object>> objects(Unstructured object, String... path) {
    return find(object, path).orElse(List.of()) instanceof List<?> list
        ? list.stream().map(JsonTree::asObject).toList()
        : List.of();
  }

  private static Optional<Object> find(Unstructured object, String... path) {
    try {
      return object.nested(path);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // Something on the way is not an object.
    }
  }
}
