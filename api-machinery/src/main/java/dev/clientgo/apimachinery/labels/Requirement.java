package dev.clientgo.apimachinery.labels;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.validation.NameRule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one label, such as {@code tier in (cache,db)}.
 *
 * <p>The values are sorted and distinct, so that two equivalent requirements are equal. Immutable.
 *
 * <p>Corresponds to client-go's {@code labels.Requirement}.
 */
public final class Requirement {

  /**
   * How a label is compared. Corresponds to client-go's {@code selection.Operator}.
   *
   * <p>The negative operators, {@link #NOT_IN}, {@link #NOT_EQUALS} and {@link #DOES_NOT_EXIST},
   * also match an object without the label.
   */
  public enum Operator {
    /** The value is one of several. */
    IN("in"),
    /** The value is none of several, or the object lacks the label. */
    NOT_IN("notin"),
    /** The value is this one. */
    EQUALS("="),
    /** The same as {@link #EQUALS}. */
    DOUBLE_EQUALS("=="),
    /** The value is not this one, or the object lacks the label. */
    NOT_EQUALS("!="),
    /** The object has the label, with any value. */
    EXISTS("exists"),
    /** The object lacks the label. */
    DOES_NOT_EXIST("!"),
    /** The value is a whole number greater than this one. */
    GREATER_THAN(">"),
    /** The value is a whole number less than this one. */
    LESS_THAN("<");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    /** Returns the operator in the form of a selector; {@code exists} has no sign there. */
    @Override
    public String toString() {
      return symbol;
    }
  }

  private final String key;
  private final Operator operator;
  private final List<String> values;

  /** The only value, if there is exactly one: most requirements compare with one. */
  private final @Nullable String only;

  private final Set<String> valueSet;

  /** The value of a comparison of numbers, else 0. */
  private final long bound;

  private Requirement(String key, Operator operator, List<String> values) {
    this.key = key;
    this.operator = operator;
    this.values = values;
    only = values.size() == 1 ? values.get(0) : null;
    valueSet = Set.copyOf(values);
    bound = isComparison(operator) ? Long.parseLong(values.get(0)) : 0;
  }

  /** Returns a requirement; see {@link #of(String, Operator, Collection)}. */
  public static Requirement of(String key, Operator operator, String... values) {
    return of(key, operator, List.of(values));
  }

  /**
   * Returns a requirement.
   *
   * @param key the key of a label
   * @param values none for {@link Operator#EXISTS} and {@link Operator#DOES_NOT_EXIST}, at least
   *     one for {@link Operator#IN} and {@link Operator#NOT_IN}, a whole number for {@link
   *     Operator#GREATER_THAN} and {@link Operator#LESS_THAN}, else exactly one; may be the empty
   *     string
   * @throws IllegalArgumentException if the number of values is wrong, or the key or a value is not
   *     valid for a label; the message names it and the reason
   */
  public static Requirement of(String key, Operator operator, Collection<String> values) {
    requireNonNull(operator, "operator");
    NameRule.LABEL_KEY.require("label key", key);
    requireCount(key, operator, values.size());
    for (String value : values) {
      NameRule.LABEL_VALUE.require("value of label \"" + key + "\"", value);
      if (isComparison(operator) && asNumber(value) == null) {
        throw new IllegalArgumentException(
            "value of label \""
                + key
                + "\" "
                + quote(value)
                + " must be a whole number for the"
                + " operator "
                + operator);
      }
    }
    return new Requirement(key, operator, values.stream().sorted().distinct().toList());
  }

  private static void requireCount(String key, Operator operator, int count) {
    String expected =
        switch (operator) {
          case IN, NOT_IN -> count >= 1 ? null : "at least one value";
          case EXISTS, DOES_NOT_EXIST -> count == 0 ? null : "no value";
          case EQUALS, DOUBLE_EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN ->
              count == 1 ? null : "exactly one value";
        };
    if (expected != null) {
      throw new IllegalArgumentException(
          "the operator "
              + operator
              + " on label \""
              + key
              + "\" takes "
              + expected
              + ", not "
              + count);
    }
  }

  private static boolean isComparison(Operator operator) {
    return operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN;
  }

  private static String quote(String text) {
    return "\"" + text + "\"";
  }

  private static @Nullable Long asNumber(String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the key of the label. */
  public String key() {
    return key;
  }

  /** Returns how the label is compared. */
  public Operator operator() {
    return operator;
  }

  /** Returns the values to compare with, sorted and distinct. */
  public List<String> values() {
    return values;
  }

  /** Returns whether an object with these labels meets this requirement. */
  public boolean matches(Map<String, String> labels) {
    String value = labels.get(key);
    return switch (operator) {
      case IN, EQUALS, DOUBLE_EQUALS -> value != null && isOneOfValues(value);
      case NOT_IN, NOT_EQUALS -> value == null || !isOneOfValues(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && compareToBound(value) > 0;
      case LESS_THAN -> value != null && compareToBound(value) < 0;
    };
  }

  private boolean isOneOfValues(String value) {
    return only != null ? only.equals(value) : valueSet.contains(value);
  }

  /** Returns 0 for what is no number: it is neither greater nor less. */
  private int compareToBound(String value) {
    Long number = asNumber(value);
    return number == null ? 0 : Long.compare(number, bound);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Requirement requirement
        && key.equals(requirement.key)
        && operator == requirement.operator
        && values.equals(requirement.values);
  }

  @Override
  public int hashCode() {
    return (key.hashCode() * 31 + operator.hashCode()) * 31 + values.hashCode();
  }

  /** Returns the requirement as it stands in a selector. */
  @Override
  public String toString() {
    return switch (operator) {
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case IN, NOT_IN -> key + " " + operator + " (" + String.join(",", values) + ")";
      case EQUALS, DOUBLE_EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN ->
          key + operator + values.get(0);
    };
  }
}
