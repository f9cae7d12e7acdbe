package dev.clientgo.apimachinery.json;

import java.util.List;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.Named;

/**
 * The names of the fields of a type, prepared once so that a reader finds the index of a name
 * without making a string of it. Immutable.
 */
public final class FieldNames {

  private final List<String> names;
  private final PropertyNameMatcher matcher;

  private FieldNames(List<String> names) {
    this.names = names;
    List<Named> fields = names.stream().map(Named::fromString).toList();
    this.matcher = Jackson.FACTORY.constructNameMatcher(fields, /* alreadyInterned= */ false);
  }

  /** Returns a table in which each name has the index of its argument. */
  public static FieldNames of(String... names) {
    return new FieldNames(List.of(names));
  }

  /** Returns the names, in the order of their indexes. */
  public List<String> names() {
    return names;
  }

  /** Returns the names as Jackson's parser looks them up. */
  PropertyNameMatcher matcher() {
    return matcher;
  }

  @Override
  public String toString() {
    return names.toString();
  }
}
