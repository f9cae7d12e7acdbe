package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value in a YAML or JSON document, with its file, line and path for messages.
 *
 * <p>Reading is lenient: a field of the wrong type reads as absent. The {@code require} methods
 * throw {@link InputException} instead.
 */
public final class Node {

  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  private final Kind kind;
  private final String file;
  private final int line;
  private final @Nullable Node parent;
  private final String step;
  private final String text;
  private final Map<String, Node> fields = new LinkedHashMap<>();
  private final List<Node> items = new java.util.ArrayList<>();

  public Node(Kind kind, String file, int line, @Nullable Node parent, String step, String text) {
    this.kind = kind;
    this.file = file;
    this.line = line;
    this.parent = parent;
    this.step = step;
    this.text = text;
  }

  /** Returns a string at the place of another value. */
  public static Node string(String value, Node place) {
    return new Node(Kind.STRING, place.file, place.line, place.parent, place.step, value);
  }

  /** Creates a value at the place of another. */
  public Node(Kind kind, Node place) {
    this(kind, place.file, place.line, place.parent, place.step, "");
  }

  public void put(String name, Node value) {
    fields.put(name, value);
  }

  /** Adds a field that the document does not have. */
  public void putString(String name, String value) {
    put(name, new Node(Kind.STRING, file, line, this, "." + name, value));
  }

  public void add(Node value) {
    items.add(value);
  }

  public Kind kind() {
    return kind;
  }

  public boolean isObject() {
    return kind == Kind.OBJECT;
  }

  public Map<String, Node> fields() {
    return fields;
  }

  public List<Node> items() {
    return items;
  }

  /** Returns the text of a scalar, as it stands in the document. */
  public String text() {
    return text;
  }

  /** Returns a field; null if it is absent or a JSON null. */
  public @Nullable Node get(String name) {
    Node node = fields.get(name);
    return node == null || node.kind == Kind.NULL ? null : node;
  }

  /** Returns the field at a path of names; null if it is absent. */
  public @Nullable Node at(String... names) {
    Node node = this;
    for (String name : names) {
      node = node.get(name);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  /** Returns a field that is a string. */
  public @Nullable String string(String name) {
    Node node = get(name);
    return node == null || node.kind != Kind.STRING ? null : node.text;
  }

  /** Returns whether a field is true. */
  public boolean isTrue(String name) {
    Node node = get(name);
    return node != null && node.kind == Kind.BOOLEAN && node.text.equals("true");
  }

  /** Returns the strings in a field that is an array. */
  public List<String> strings(String name) {
    Node node = get(name);
    return node == null
        ? List.of()
        : node.items.stream().filter(item -> item.kind == Kind.STRING).map(Node::text).toList();
  }

  /** Returns a field that is an object. */
  public Node requireObject(String name) {
    Node node = get(name);
    if (node == null || !node.isObject()) {
      throw error("needs an object \"" + name + "\"");
    }
    return node;
  }

  /** Returns a field that is an array. */
  public Node requireArray(String name) {
    Node node = get(name);
    if (node == null || node.kind != Kind.ARRAY) {
      throw error("needs an array \"" + name + "\"");
    }
    return node;
  }

  /** Returns a field that is a string and not empty. */
  public String requireString(String name) {
    String value = string(name);
    if (value == null || value.isEmpty()) {
      throw error("needs a string \"" + name + "\"");
    }
    return value;
  }

  /** Returns an error at this place. */
  public InputException error(String problem) {
    return new InputException(problem(problem));
  }

  /** Returns a problem or a note at this place. */
  public Report.Problem problem(String text) {
    return new Report.Problem(file, line, path(), text);
  }

  /** Returns the path from the top of the document, such as {@code $.spec.versions[0]}. */
  String path() {
    StringBuilder path = new StringBuilder("$");
    appendPath(path);
    return path.toString();
  }

  /** Returns this node and those around it, the outermost first. */
  public List<Node> pathFromTop() {
    List<Node> path = new java.util.ArrayList<>();
    for (Node node = this; node != null; node = node.parent) {
      path.add(0, node);
    }
    return path;
  }

  /** Returns the last part of the path, such as {@code .spec} or {@code [0]}. */
  public String step() {
    return step;
  }

  /** Returns the name of the field whose value this is, from the last step of the path. */
  public String name() {
    return step.startsWith(".") ? step.substring(1) : step.replaceAll("^\\[\"|\"]$", "");
  }

  /** Returns the name of the field whose schema this is, or that of its elements; else "". */
  public String fieldName() {
    List<Node> path = pathFromTop();
    for (int i = path.size() - 1; i > 0; i--) {
      if (path.get(i - 1).step.equals(".properties")) {
        return path.get(i).name();
      }
    }
    return "";
  }

  private void appendPath(StringBuilder path) {
    if (parent != null) {
      parent.appendPath(path);
      path.append(step);
    }
  }

  /** Returns the value as one line of JSON. */
  public String toJson() {
    StringBuilder json = new StringBuilder();
    appendJson(json);
    return json.toString();
  }

  private void appendJson(StringBuilder json) {
    switch (kind) {
      case OBJECT -> {
        json.append('{');
        String separator = "";
        for (Map.Entry<String, Node> field : fields.entrySet()) {
          json.append(separator).append(JsonText.quote(field.getKey())).append(':');
          field.getValue().appendJson(json);
          separator = ",";
        }
        json.append('}');
      }
      case ARRAY -> {
        json.append('[');
        String separator = "";
        for (Node item : items) {
          json.append(separator);
          item.appendJson(json);
          separator = ",";
        }
        json.append(']');
      }
      case STRING -> json.append(JsonText.quote(text));
      default -> json.append(text);
    }
  }
}
