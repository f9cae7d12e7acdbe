package dev.clientgo.apimachinery.fields;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * A condition on one field, such as {@code status.phase!=Running}.
 *
 * <p>Corresponds to client-go's {@code fields.Requirement}.
 *
 * @param field the name of the field, as the server knows it
 * @param operator how the field is compared
 * @param value the value to compare with
 */
public record FieldRequirement(String field, Operator operator, String value) {

  /** How a field is compared. */
  public enum Operator {
    /** The field has this value. */
    EQUALS("="),
    /** The field has another value. */
    NOT_EQUALS("!=");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    /** Returns the operator as it stands in a selector. */
    @Override
    public String toString() {
      return symbol;
    }
  }

  public FieldRequirement {
    requireNonNull(field, "field");
    requireNonNull(operator, "operator");
    requireNonNull(value, "value");
  }

  /**
   * Returns whether an object with these fields meets this requirement. A missing field counts as
   * the empty string.
   */
  public boolean matches(Map<String, String> fields) {
    return value.equals(fields.getOrDefault(field, "")) == (operator == Operator.EQUALS);
  }

  /** Puts a backslash before each character that would otherwise end a value. */
  static String escape(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
  }

  /** Returns the requirement as it stands in a selector. */
  @Override
  public String toString() {
    return field + operator + escape(value);
  }
}
