package dev.clientgo.apimachinery.patch;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Operations on trees of maps and lists that all patches share. */
final class Trees {

  private Trees() {}

  /** Copies all maps and lists of a tree, so that they can be changed. */
  static @Nullable Object mutableCopy(@Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((key, value) -> copy.put((String) key, mutableCopy(value)));
      return copy;
    }
    if (tree instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>(list.size());
      for (Object value : list) {
        copy.add(mutableCopy(value));
      }
      return copy;
    }
    return tree;
  }

  /** Returns about how many bytes a tree has as JSON. */
  static long bytes(@Nullable Object tree) {
    long bytes = 3; // Brackets or quotes, and a comma or colon.
    if (tree instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> field : map.entrySet()) {
        bytes += bytes(field.getKey()) + bytes(field.getValue());
      }
    } else if (tree instanceof List<?> list) {
      for (Object value : list) {
        bytes += bytes(value);
      }
    } else {
      bytes += String.valueOf(tree).length();
    }
    return bytes;
  }

  /** Compares two values of JSON: 1 equals 1.0, and the order of fields has no meaning. */
  static boolean equal(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return x.size() == y.size()
          && x.entrySet().stream()
              .allMatch(
                  entry ->
                      y.containsKey(entry.getKey())
                          && equal(entry.getValue(), y.get(entry.getKey())));
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      if (x.size() != y.size()) {
        return false;
      }
      Iterator<?> other = y.iterator();
      return x.stream().allMatch(value -> equal(value, other.next()));
    }
    if (a instanceof Number x && b instanceof Number y) {
      return x.equals(y) || decimal(x).compareTo(decimal(y)) == 0;
    }
    return Objects.equals(a, b);
  }

  private static BigDecimal decimal(Number number) {
    return number instanceof BigDecimal exact ? exact : new BigDecimal(number.toString());
  }

  /** Returns a short description of a value for a message. */
  static String describe(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return "an object of " + map.size() + " fields";
    }
    if (value instanceof List<?> list) {
      return "an array of " + list.size();
    }
    if (value instanceof String text) {
      return text.length() <= 60 ? "\"" + text + "\"" : "\"" + text.substring(0, 57) + "...\"";
    }
    return String.valueOf(value);
  }

  @SuppressWarnings("unchecked") // JSON objects have string keys; our copies are mutable.
  static Map<String, @Nullable Object> map(Object tree) {
    return (Map<String, @Nullable Object>) tree;
  }

  @SuppressWarnings("unchecked") // Our copies are mutable.
  static List<@Nullable Object> list(Object tree) {
    return (List<@Nullable Object>) tree;
  }
}
