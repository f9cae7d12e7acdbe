package dev.clientgo.apimachinery.unstructured;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes a tree as {@code kubectl get -o json} prints it: one value a line, keys sorted. */
final class PrettyJson {

  private static final String INDENT = "    ";

  private final StringBuilder out = new StringBuilder();

  private PrettyJson() {}

  static String format(Map<?, ?> tree) {
    PrettyJson json = new PrettyJson();
    json.value(tree, "\n");
    return json.out.toString();
  }

  /**
   * Writes a value.
   *
   * @param newLine a line feed and the indentation of the value
   */
  private void value(@Nullable Object value, String newLine) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
        out.append(separator).append(newLine).append(INDENT);
        scalar(entry.getKey());
        out.append(": ");
        value(entry.getValue(), newLine + INDENT);
        separator = ",";
      }
      out.append(newLine).append('}');
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      String separator = "[";
      for (Iterator<?> items = list.iterator(); items.hasNext(); separator = ",") {
        out.append(separator).append(newLine).append(INDENT);
        value(items.next(), newLine + INDENT);
      }
      out.append(newLine).append(']');
    } else {
      scalar(value);
    }
  }

  private void scalar(@Nullable Object value) {
    out.append(value == null ? "null" : RawJson.of(JsonCodecs.TREE, value).toString());
  }
}
