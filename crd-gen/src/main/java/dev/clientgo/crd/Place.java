package dev.clientgo.crd;

/**
 * A place in a kind, for errors and columns.
 *
 * @param type the record of the kind
 * @param path the path from there, such as {@code .spec.rules[].port}
 */
record Place(Class<?> type, String path) {

  /** Returns the place of a field of the object here. */
  Place field(String name) {
    return new Place(type, path + "." + name.replace(".", "\\."));
  }

  /** Returns the place of the elements of the list or map here. */
  Place elements() {
    return new Place(type, path + "[]");
  }

  /** Returns the error of a type that has no schema. */
  IllegalArgumentException problem(String text) {
    String where = path.isEmpty() ? "" : ", " + path;
    return new IllegalArgumentException(type.getName() + where + ": " + text);
  }
}
