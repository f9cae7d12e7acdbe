package dev.clientgo.apimachinery.labels;

import dev.clientgo.apimachinery.labels.Requirement.Operator;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A label selector: selects the objects whose labels meet all of its requirements.
 *
 * <p>The requirements are sorted by key, so that {@link #toString} returns the same text for the
 * same requirements. Immutable.
 *
 * <p>Corresponds to client-go's {@code labels.Selector}.
 */
public final class Selector {

  private static final Selector EVERYTHING = new Selector(List.of(), false);
  private static final Selector NOTHING = new Selector(List.of(), true);

  private final List<Requirement> requirements;
  private final boolean nothing;

  private Selector(List<Requirement> requirements, boolean nothing) {
    this.requirements = requirements;
    this.nothing = nothing;
  }

  /** Returns the selector without requirements, which every object meets. */
  public static Selector everything() {
    return EVERYTHING;
  }

  /** Returns the selector that no object meets. */
  public static Selector nothing() {
    return NOTHING;
  }

  /**
   * Parses the textual form, such as {@code app=web,tier in (cache,db),!canary}. An empty text
   * gives {@link #everything}.
   *
   * @throws IllegalArgumentException if the text is not a selector; the message gives the position
   *     and the reason
   */
  public static Selector parse(String text) {
    return of(SelectorParser.parse(text));
  }

  /** Returns the selector with these requirements. */
  public static Selector of(Requirement... requirements) {
    return of(List.of(requirements));
  }

  /** Returns the selector with these requirements. */
  public static Selector of(Collection<Requirement> requirements) {
    return requirements.isEmpty()
        ? EVERYTHING
        : new Selector(
            requirements.stream().sorted(Comparator.comparing(Requirement::key)).toList(), false);
  }

  /**
   * Returns the selector of the objects that have all these labels, with these values.
   *
   * @throws IllegalArgumentException if a key or value is not valid for a label
   */
  public static Selector of(Map<String, String> labels) {
    return of(equalTo(labels).toList());
  }

  private static Stream<Requirement> equalTo(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> Requirement.of(label.getKey(), Operator.EQUALS, label.getValue()));
  }

  /**
   * Returns the selector of an object such as a Deployment: {@link #nothing} for null, {@link
   * #everything} for an empty one.
   *
   * @throws IllegalArgumentException if a requirement is not valid
   */
  public static Selector of(@Nullable LabelSelector selector) {
    if (selector == null) {
      return NOTHING;
    }
    List<Requirement> requirements = new ArrayList<>();
    equalTo(selector.matchLabels()).forEach(requirements::add);
    selector.matchExpressions().forEach(expression -> requirements.add(requirement(expression)));
    return of(requirements);
  }

  private static Requirement requirement(LabelSelectorRequirement expression) {
    String operator = String.valueOf(expression.operator());
    String key = expression.key() == null ? "" : expression.key();
    return Requirement.of(
        key,
        switch (operator) {
          case LabelSelectorRequirement.IN -> Operator.IN;
          case LabelSelectorRequirement.NOT_IN -> Operator.NOT_IN;
          case LabelSelectorRequirement.EXISTS -> Operator.EXISTS;
          case LabelSelectorRequirement.DOES_NOT_EXIST -> Operator.DOES_NOT_EXIST;
          default ->
              throw new IllegalArgumentException(
                  "operator \""
                      + operator
                      + "\" of the label selector on key \""
                      + key
                      + "\" must be In, NotIn, Exists or DoesNotExist");
        },
        expression.values());
  }

  /**
   * Returns this selector as a field of an object.
   *
   * @throws IllegalArgumentException if a requirement has no such form: a comparison of numbers,
   *     two different values for one label, or {@link #nothing}
   */
  public LabelSelector toLabelSelector() {
    if (nothing) {
      throw new IllegalArgumentException("a label selector of an object cannot select nothing");
    }
    Map<String, String> labels = new LinkedHashMap<>();
    List<LabelSelectorRequirement> expressions = new ArrayList<>();
    for (Requirement requirement : requirements) {
      switch (requirement.operator()) {
        case EQUALS, DOUBLE_EQUALS -> addLabel(labels, requirement);
        case IN -> expressions.add(expression(requirement, LabelSelectorRequirement.IN));
        // Unlike client-go, which refuses !=, although it means the same as notin.
        case NOT_IN, NOT_EQUALS ->
            expressions.add(expression(requirement, LabelSelectorRequirement.NOT_IN));
        case EXISTS -> expressions.add(expression(requirement, LabelSelectorRequirement.EXISTS));
        case DOES_NOT_EXIST ->
            expressions.add(expression(requirement, LabelSelectorRequirement.DOES_NOT_EXIST));
        case GREATER_THAN, LESS_THAN ->
            throw new IllegalArgumentException(
                "a label selector of an object cannot compare numbers: " + requirement);
      }
    }
    return LabelSelector.builder()
        .matchLabels(labels.isEmpty() ? null : labels)
        .matchExpressions(expressions.isEmpty() ? null : expressions)
        .build();
  }

  private static void addLabel(Map<String, String> labels, Requirement requirement) {
    String value = requirement.values().get(0);
    String other = labels.putIfAbsent(requirement.key(), value);
    if (other != null && !other.equals(value)) {
      // Unlike client-go, where the last one wins and changes the meaning of the selector.
      throw new IllegalArgumentException(
          "a label cannot have two values: "
              + requirement.key()
              + "="
              + other
              + " and "
              + requirement);
    }
  }

  private static LabelSelectorRequirement expression(Requirement requirement, String operator) {
    List<String> values = requirement.values();
    return LabelSelectorRequirement.builder()
        .key(requirement.key())
        .operator(operator)
        .values(values.isEmpty() ? null : values)
        .build();
  }

  /**
   * Returns the labels with which an object meets this selector, if it requires only certain
   * values.
   *
   * @throws IllegalArgumentException if a requirement is of another kind, allows several values or
   *     contradicts another, or this is {@link #nothing}
   */
  public Map<String, String> toLabels() {
    if (nothing) {
      throw new IllegalArgumentException("no labels make an object meet the selector of nothing");
    }
    Map<String, String> labels = new LinkedHashMap<>();
    for (Requirement requirement : requirements) {
      boolean exact = requiresOneOf(requirement.operator()) && requirement.values().size() == 1;
      if (!exact) {
        throw new IllegalArgumentException(
            "expected a selector of single values, found the requirement " + requirement);
      }
      addLabel(labels, requirement);
    }
    return Collections.unmodifiableMap(labels);
  }

  private static boolean requiresOneOf(Operator operator) {
    return operator == Operator.EQUALS
        || operator == Operator.DOUBLE_EQUALS
        || operator == Operator.IN;
  }

  /** Returns a selector that has these requirements too; {@link #nothing} stays nothing. */
  public Selector and(Requirement... more) {
    return nothing ? NOTHING : of(Stream.concat(requirements.stream(), Stream.of(more)).toList());
  }

  /** Returns whether every object meets this selector, because it requires nothing. */
  public boolean isEverything() {
    return requirements.isEmpty() && !nothing;
  }

  /** Returns whether this is {@link #nothing}. Does not detect contradictory requirements. */
  public boolean isNothing() {
    return nothing;
  }

  /** Returns the requirements, sorted by key; empty for {@link #nothing}. */
  public List<Requirement> requirements() {
    return requirements;
  }

  /**
   * Returns whether an object meets this selector.
   *
   * @param labels the labels of the object, null if it has none
   */
  public boolean matches(@Nullable Map<String, String> labels) {
    if (requirements.isEmpty()) {
      return !nothing;
    }
    Map<String, String> present = labels == null ? Map.of() : labels;
    for (Requirement requirement : requirements) {
      if (!requirement.matches(present)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the only value that a label can have in an object that meets this selector, if the
   * first requirement on the label fixes it. A caller can then use an index instead of reading
   * every object.
   */
  public Optional<String> requiresExactMatch(String key) {
    for (Requirement requirement : requirements) {
      if (requirement.key().equals(key)) {
        List<String> values = requirement.values();
        return requiresOneOf(requirement.operator()) && values.size() == 1
            ? Optional.of(values.get(0))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Selector selector
        && nothing == selector.nothing
        && requirements.equals(selector.requirements);
  }

  @Override
  public int hashCode() {
    return requirements.hashCode();
  }

  /**
   * Returns the text that {@link #parse} and servers accept; empty for {@link #everything}.
   *
   * <p>{@link #nothing} has no such form: {@link #parse} and servers refuse its text.
   */
  @Override
  public String toString() {
    // Unlike client-go, where nothing is the empty string, by which a server selects everything.
    return nothing
        ? "<nothing>"
        : requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
  }
}
