package dev.clientgo.apimachinery.meta.options;

/**
 * How a server treats fields of an object that are unknown or duplicate.
 *
 * <p>Corresponds to client-go's {@code metav1.FieldValidationIgnore} and its siblings.
 */
public enum FieldValidation {
  /** Drops them silently. */
  IGNORE("Ignore"),
  /** Drops them and sends a warning. This is the server's default. */
  WARN("Warn"),
  /** Refuses the request. */
  STRICT("Strict");

  private final String value;

  FieldValidation(String value) {
    this.value = value;
  }

  /** Returns the value in a query. */
  public String value() {
    return value;
  }
}
