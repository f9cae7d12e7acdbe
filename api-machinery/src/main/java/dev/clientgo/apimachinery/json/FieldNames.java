package dev.clientgo.apimachinery.json;

import java.util.List;

/**
 * The names of the fields of a type, prepared once so that a reader finds the index of a name
 * without making a string of it. Immutable.
 */
public final class FieldNames {

  private final List<String> names;

  private FieldNames(List<String> names) {
    this.names = names;
  }

  /** Returns a table in which each name has the index of its argument. */
  public static FieldNames of(String... names) {
    return new FieldNames(List.of(names));
  }

  /** Returns the names, in the order of their indexes. */
  public List<String> names() {
    return names;
  }
}
