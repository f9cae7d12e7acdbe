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
          Cells.text("metadata.name", ""));

  /** The time since the object was created. */
  public static final Column AGE =
      new Column(
          "Age", "string", "", "", 0, Cells.since("metadata.creationTimestamp", Cells.UNKNOWN));
}
