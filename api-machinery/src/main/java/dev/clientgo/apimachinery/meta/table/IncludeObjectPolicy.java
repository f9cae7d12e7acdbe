package dev.clientgo.apimachinery.meta.table;

/**
 * How much of its object a row of a table carries.
 *
 * <p>Corresponds to client-go's {@code metav1.IncludeObjectPolicy}.
 */
public enum IncludeObjectPolicy {
  /** Nothing. */
  NONE("None"),
  /**
   * The metadata, as {@link dev.clientgo.apimachinery.meta.PartialObjectMetadata}. This is the
   * server's default.
   */
  METADATA("Metadata"),
  /** The whole object. */
  OBJECT("Object");

  private final String value;

  IncludeObjectPolicy(String value) {
    this.value = value;
  }

  /** Returns the value in a query. */
  public String value() {
    return value;
  }
}
