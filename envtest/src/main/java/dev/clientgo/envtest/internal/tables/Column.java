package dev.clientgo.envtest.internal.tables;

/**
 * A column of the tables in which objects of a kind are printed.
 *
 * @param name the heading
 * @param type the type of the cells in OpenAPI, of which they need not be
 * @param format the format of the cells in OpenAPI
 * @param description what it shows
 * @param priority 0 if it is always of interest
 * @param cell what it shows of an object
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

  /** How long ago the object was created. */
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

  /** Returns a column of a built-in kind, whose descriptions are those of the API's fields. */
  public static Column of(String name, String type, Cell cell) {
    return new Column(name, type, "", "", 0, cell);
  }

  /** Returns this column as one for people who want to see more. */
  public Column wide() {
    return new Column(name, type, format, description, 1, cell);
  }

  /** Returns this column with another cell. */
  public Column with(Cell other) {
    return new Column(name, type, format, description, priority, other);
  }
}
