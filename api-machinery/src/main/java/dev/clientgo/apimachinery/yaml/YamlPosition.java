package dev.clientgo.apimachinery.yaml;

import static java.util.Objects.requireNonNull;

/**
 * A place in a YAML text.
 *
 * @param origin what the text is, such as the name of a file
 * @param document the number of the document in the text, from 1
 * @param line the line, from 1
 * @param column the column, from 1
 */
public record YamlPosition(String origin, int document, int line, int column) {

  public YamlPosition {
    requireNonNull(origin, "origin");
  }

  /** Returns the position as errors show it: {@code all.yaml, line 7, column 3 (document 2)}. */
  @Override
  public String toString() {
    return origin + ", line " + line + ", column " + column + " (document " + document + ")";
  }
}
