package dev.clientgo.apimachinery.jsonpath;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A template in the JSONPath dialect of {@code kubectl -o jsonpath}: text with paths in braces,
 * which {@link #print} replaces by their results. Immutable.
 *
 * <pre>{@code
 * JsonPath.parse("{range .items[*]}{.metadata.name}{\"\\n\"}{end}").print(list.content());
 * }</pre>
 *
 * <p>A template is applied to a tree of maps and lists, such as the content of an {@code
 * Unstructured}. Corresponds to client-go's {@code util/jsonpath}.
 */
public final class JsonPath {

  /** The number of digits above which a number is printed with an exponent. */
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
   * @throws JsonPathException if the text is not valid; the message gives the reason
   */
  public static JsonPath parse(String template) {
    requireNonNull(template, "template");
    return new JsonPath(template, List.copyOf(Parser.template(template)), false);
  }

  /**
   * Parses a single path in the form of printer columns and {@code --sort-by}: {@code
   * .spec.replicas}, with or without the dot and the braces. Missing keys are allowed.
   *
   * @throws JsonPathException if the text is not valid; the message gives the reason
   */
  public static JsonPath column(String path) {
    String inner =
        path.startsWith("{") && path.endsWith("}") ? path.substring(1, path.length() - 1) : path;
    String rooted = inner.isEmpty() || ".[@$".indexOf(inner.charAt(0)) >= 0 ? inner : "." + inner;
    return parse("{" + rooted + "}").allowMissingKeys();
  }

  /** Returns this template such that a missing key is not an error, but prints nothing. */
  public JsonPath allowMissingKeys() {
    return new JsonPath(template, nodes, true);
  }

  /**
   * Returns the results of the paths in order, including text and the results within ranges.
   *
   * @throws JsonPathException if a path does not match the tree
   */
  public List<@Nullable Object> find(@Nullable Object tree) {
    List<@Nullable Object> results = new ArrayList<>();
    run(new Evaluator(tree, allowMissingKeys), tree, nodes, results::addAll);
    return results;
  }

  /**
   * Returns the template with the results instead of the paths. Separates the results of one path
   * by spaces; prints strings without quotes, objects and arrays as JSON.
   *
   * @throws JsonPathException if a path does not match the tree
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
      return RawJson.of(JsonCodecs.TREE, value).toString();
    }
    if (value instanceof Double number) {
      return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }
    return value instanceof BigDecimal number && Math.abs(number.scale()) <= MAX_DIGITS
        ? number.toPlainString()
        : String.valueOf(value);
  }

  /** Returns the text of the template. */
  @Override
  public String toString() {
    return template;
  }
}
