package dev.clientgo.apimachinery.meta;

/**
 * What a server does about fields of an object that it does not know or finds twice.
 *
 * <p>Corresponds to client-go's {@code metav1.FieldValidationIgnore} and its siblings.
 */
public enum FieldValidation {
  /** It drops them without a word. */
  IGNORE("Ignore"),
  /** It drops them and warns. That is what it does if it is not told. */
  WARN("Warn"),
  /** It refuses the request. */
  STRICT("Strict");

  private final String value;

  FieldValidation(String value) {
    this.value = value;
  }

  /** Returns the form that is sent. */
  public String value() {
    return value;
  }
}
