package dev.clientgo.envtest.internal.tables;

/**
 * A column of the table in which objects of a kind are printed.
 *
 * @param name the heading
 * @param type the OpenAPI type; cells may have another
 * @param format the OpenAPI format
 * @param description the meaning of the column
 * @param priority 0 for columns that are always shown
 * @param cell the value for an object
 */
public record Column(
    String name, String type, String format, String description, long priority, Cell cell) {

  /** The name of the object. */
  public static final Column NAME =
      new Column(
          "Name",
          "string",
          "name",
          "Name must be unique within a namespace",
          0,
          Cells.text("metadata.name"));

  /** The time since the object was created. */
  public static final Column AGE =
      text("Age", Cells.since("metadata.creationTimestamp", "<unknown>"));

  public static Column text(String name, Cell cell) {
    return of(name, "string", cell);
  }

  public static Column integer(String name, Cell cell) {
    return of(name, "integer", cell);
  }

  public static Column flag(String name, Cell cell) {
    return of(name, "boolean", cell);
  }

  /** Returns a column of a built-in kind, without a description. */
  public static Column of(String name, String type, Cell cell) {
    return new Column(name, type, "", "", 0, cell);
  }

  /** Returns this column for wide output only. */
  public Column wide() {
    return new Column(name, type, format, description, 1, cell);
  }

  /** Returns this column with another cell. */
  public Column with(Cell other) {
    return new Column(name, type, format, description, priority, other);
  }
}
