package dev.clientgo.apimachinery.meta;

/**
 * What a row of a table carries of its object.
 *
 * <p>Corresponds to client-go's {@code metav1.IncludeObjectPolicy}.
 */
public enum IncludeObjectPolicy {
  /** Nothing. */
  NONE("None"),
  /** Its metadata, as {@link PartialObjectMetadata}. That is so if the server is not told. */
  METADATA("Metadata"),
  /** All of it. */
  OBJECT("Object");

  private final String value;

  IncludeObjectPolicy(String value) {
    this.value = value;
  }

  /** Returns the form that is sent. */
  public String value() {
    return value;
  }
}
