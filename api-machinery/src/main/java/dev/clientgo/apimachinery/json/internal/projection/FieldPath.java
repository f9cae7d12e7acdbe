package dev.clientgo.apimachinery.json.internal.projection;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses the path of a field: names with points between them, such as {@code
 * spec.containers[*].image}.
 */
public final class FieldPath {

  private final String text;
  private final List<String> names = new ArrayList<>();
  private int position;

  private FieldPath(String text) {
    this.text = text;
  }

  /**
   * Returns the names on a path. Marks of lists, {@code [*]}, are left out: the path of a list is
   * also that of its elements. The key of a map that has points is in brackets and quotes, {@code
   * metadata.labels["app.kubernetes.io/name"]}, or has a backslash before each.
   *
   * @throws IllegalArgumentException if the path has no such form
   */
  public static List<String> parse(String text) {
    FieldPath path = new FieldPath(text);
    path.parse();
    return List.copyOf(path.names);
  }

  private void parse() {
    if (text.startsWith(".")) {
      position++; // as in kubectl
    }
    readName();
    while (position < text.length()) {
      if (text.charAt(position) == '[') {
        readBrackets();
      } else if (text.charAt(position) == '.') {
        position++;
        readName();
      } else {
        throw error("a point or a bracket is missing at " + position);
      }
    }
  }

  private void readName() {
    StringBuilder name = new StringBuilder();
    while (position < text.length() && ".[".indexOf(text.charAt(position)) < 0) {
      if (text.charAt(position) == '\\' && position + 1 < text.length()) {
        position++;
      }
      name.append(text.charAt(position++));
    }
    if (name.isEmpty()) {
      throw error("a name is missing at " + position);
    }
    if (!name.toString().equals("*")) {
      names.add(name.toString());
    }
  }

  private void readBrackets() {
    int end = text.indexOf(']', position);
    char quote = position + 1 < text.length() ? text.charAt(position + 1) : ' ';
    if (quote == '"' || quote == '\'') {
      end = text.indexOf(quote + "]", position + 2) + 1;
    }
    if (end <= 0) {
      throw error("the bracket at " + position + " has no end");
    }
    String inside = text.substring(position + 1, end);
    if (quote == '"' || quote == '\'') {
      names.add(inside.substring(1, inside.length() - 1));
    } else if (!inside.equals("*") && !inside.isEmpty()) {
      throw error(
          "all elements of a list are read alike, so write [*] instead of ["
              + inside
              + "]; the key of a map needs quotes");
    }
    position = end + 1;
  }

  private IllegalArgumentException error(String problem) {
    return new IllegalArgumentException("not the path of a field: \"" + text + "\": " + problem);
  }
}
