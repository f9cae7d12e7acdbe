package dev.clientgo.apimachinery.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes YAML as {@code kubectl get -o yaml} prints it: keys sorted, lists not indented below their
 * key, strings quoted only where they must be, strings of several lines as {@code |} blocks, lines
 * folded behind column 80.
 *
 * <pre>{@code
 * System.out.print(YamlWriter.format(Pod.CODEC, pod));
 * }</pre>
 *
 * <p>{@link YamlReader} reads the same tree back. Unlike kubectl, numbers that a double cannot hold
 * keep their digits, and U+2028 and U+2029 are always escaped, and a key {@code <<} is quoted.
 */
public final class YamlWriter {

  private static final KeyOrder KEY_ORDER = new KeyOrder();

  /** The longest key, in bytes, that stands on one line with its value. */
  private static final int MAX_SIMPLE_KEY = 128;

  private final ScalarWriter out = new ScalarWriter();

  private YamlWriter() {}

  /**
   * Writes one document.
   *
   * @param tree a map, list, string, boolean or number, or maps and lists of these and null, such
   *     as {@link YamlDocument#tree}
   * @throws IllegalArgumentException if there is a value that JSON does not know
   */
  public static String format(Object tree) {
    YamlWriter writer = new YamlWriter();
    writer.node(requireNonNull(tree, "tree"), -1, false);
    return writer.out.end();
  }

  /** Writes one object as one document. */
  public static <T> String format(JsonCodec<T> codec, T object) {
    byte[] json = JsonWriter.toBytes(codec, object);
    return format(JsonReader.fromBytes(JsonCodecs.TREE, json));
  }

  /**
   * Writes a value.
   *
   * @param indent the column of the collection around it, -1 if there is none
   * @param inMap whether it is the value of a simple key: lists are not indented there
   */
  private void node(@Nullable Object value, int indent, boolean inMap) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      map(map, indent < 0 ? 0 : indent + 2);
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      list(list, indent < 0 ? 0 : inMap ? indent : indent + 2);
    } else {
      scalar(value, Math.max(indent, 0) + 2);
    }
  }

  private void map(Map<?, ?> map, int indent) {
    Map<String, @Nullable Object> sorted = new TreeMap<>(KEY_ORDER);
    map.forEach((key, value) -> sorted.put((String) key, value));
    sorted.forEach(
        (key, value) -> {
          boolean simple = isSimple(key);
          out.indent(indent);
          if (simple) {
            out.string(key, indent + 2, true);
            out.indicator(":", false);
          } else {
            out.indicator("?", true);
            out.string(key, indent + 2, false);
            out.indent(indent);
            out.indicator(":", true);
          }
          node(value, indent, simple);
        });
  }

  private static boolean isSimple(String key) {
    return key.indexOf('\n') < 0 && key.getBytes(UTF_8).length <= MAX_SIMPLE_KEY;
  }

  private void list(List<?> list, int indent) {
    for (Object element : list) {
      out.indent(indent);
      out.indicator("-", true);
      node(element, indent, false);
    }
  }

  private void scalar(@Nullable Object value, int indent) {
    if (value instanceof String text) {
      out.string(text, indent, false);
    } else if (value instanceof Number number) {
      out.plain(GoNumbers.format(number));
    } else if (value instanceof Map) {
      out.plain("{}");
    } else if (value instanceof List) {
      out.plain("[]");
    } else if (value == null || value instanceof Boolean) {
      out.plain(String.valueOf(value));
    } else {
      throw new IllegalArgumentException("JSON has no value of " + value.getClass());
    }
  }
}
