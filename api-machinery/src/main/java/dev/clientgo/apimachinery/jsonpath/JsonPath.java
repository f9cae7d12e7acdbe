package dev.clientgo.apimachinery.jsonpath;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A template in the JSONPath dialect of {@code kubectl -o jsonpath}: text, with paths in braces
 * whose results are put in their place. Immutable.
 *
 * <pre>{@code
 * JsonPath.parse("{range .items[*]}{.metadata.name}{\"\\n\"}{end}").print(list.content());
 * }</pre>
 *
 * <p>It works on trees of maps and lists as the content of an {@code Unstructured}. Corresponds to
 * client-go's {@code util/jsonpath}.
 */
public final class JsonPath {

  /** Numbers of more digits are printed with an exponent. */
  private static final int MAX_DIGITS = 1000;

  private final String template;
  private final List<Node> nodes;
  private final boolean allowMissingKeys;

  private JsonPath(String template, List<Node> nodes, boolean allowMissingKeys) {
    this.template = template;
    this.nodes = nodes;
    this.allowMissingKeys = allowMissingKeys;
  }

  /**
   * Parses a template.
   *
   * @throws JsonPathException if it is not one; the message says why
   */
  public static JsonPath parse(String template) {
    requireNonNull(template, "template");
    return new JsonPath(template, List.copyOf(Parser.template(template)), false);
  }

  /**
   * Parses a single path as printer columns and {@code --sort-by} have it: {@code .spec.replicas},
   * with or without the dot and the braces. Missing keys are allowed.
   *
   * @throws JsonPathException if it is not one; the message says why
   */
  public static JsonPath column(String path) {
    String inner =
        path.startsWith("{") && path.endsWith("}") ? path.substring(1, path.length() - 1) : path;
    String rooted = inner.isEmpty() || ".[@$".indexOf(inner.charAt(0)) >= 0 ? inner : "." + inner;
    return parse("{" + rooted + "}").allowMissingKeys();
  }

  /** Returns this template, but a path that leads nowhere is no error and prints nothing. */
  public JsonPath allowMissingKeys() {
    return new JsonPath(template, nodes, true);
  }

  /**
   * Returns what the paths lead to, each in turn; text and the results within ranges included.
   *
   * @throws JsonPathException if a path does not fit
   */
  public List<@Nullable Object> find(@Nullable Object tree) {
    List<@Nullable Object> results = new ArrayList<>();
    run(new Evaluator(tree, allowMissingKeys), tree, nodes, results::addAll);
    return results;
  }

  /**
   * Returns the template filled in: results of one path are separated by spaces, strings are
   * printed as they are, objects and arrays as JSON.
   *
   * @throws JsonPathException if a path does not fit
   */
  public String print(@Nullable Object tree) {
    StringBuilder out = new StringBuilder();
    run(
        new Evaluator(tree, allowMissingKeys),
        tree,
        nodes,
        results -> {
          for (int i = 0; i < results.size(); i++) {
            out.append(i == 0 ? "" : " ").append(text(results.get(i)));
          }
        });
    return out.toString();
  }

  @FunctionalInterface
  private interface Sink {
    void take(List<@Nullable Object> results);
  }

  private static void run(
      Evaluator evaluator, @Nullable Object current, List<Node> nodes, Sink sink) {
    evaluator.count(nodes.size() + 1);
    for (Node node : nodes) {
      if (node instanceof Node.Text text) {
        sink.take(List.of(text.text()));
      } else if (node instanceof Node.Path path) {
        sink.take(evaluator.walk(current, path));
      } else {
        Node.Range range = (Node.Range) node;
        for (Object value : evaluator.walk(current, range.over())) {
          run(evaluator, value, range.body(), sink);
        }
      }
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Map<?, ?> || value instanceof List<?>) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      JsonWriter writer = JsonWriter.to(bytes);
      writer.tree(value);
      writer.flush();
      return bytes.toString(StandardCharsets.UTF_8);
    }
    if (value instanceof Double number) {
      return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }
    return value instanceof BigDecimal number && Math.abs(number.scale()) <= MAX_DIGITS
        ? number.toPlainString()
        : String.valueOf(value);
  }

  /** Returns the template as it was given. */
  @Override
  public String toString() {
    return template;
  }
}
