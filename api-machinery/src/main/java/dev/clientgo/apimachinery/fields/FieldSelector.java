package dev.clientgo.apimachinery.fields;

import dev.clientgo.apimachinery.fields.FieldRequirement.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A field selector: selects the objects whose fields meet all of its requirements. The server
 * decides which fields it supports; it always supports {@code metadata.name} and {@code
 * metadata.namespace}. Immutable.
 *
 * <p>Corresponds to client-go's {@code fields.Selector}.
 */
public final class FieldSelector {

  private static final FieldSelector EVERYTHING = new FieldSelector(List.of(), false);
  private static final FieldSelector NOTHING = new FieldSelector(List.of(), true);

  private final List<FieldRequirement> requirements;
  private final boolean nothing;

  private FieldSelector(List<FieldRequirement> requirements, boolean nothing) {
    this.requirements = requirements;
    this.nothing = nothing;
  }

  private static FieldSelector of(List<FieldRequirement> requirements) {
    return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements, false);
  }

  /** Returns the selector without requirements, which every object meets. */
  public static FieldSelector everything() {
    return EVERYTHING;
  }

  /** Returns the selector that no object meets. */
  public static FieldSelector nothing() {
    return NOTHING;
  }

  /**
   * Parses the textual form, such as {@code metadata.name=web,status.phase!=Running}. Empty terms
   * are skipped; an empty text gives {@link #everything}.
   *
   * @throws IllegalArgumentException if the text is not a selector; the message gives the reason
   */
  public static FieldSelector parse(String text) {
    return of(FieldSelectorParser.parse(text));
  }

  /** Returns the selector of the objects in which a field has this value. */
  public static FieldSelector equal(String field, String value) {
    return of(List.of(new FieldRequirement(field, Operator.EQUALS, value)));
  }

  /** Returns the selector of the objects in which a field has another value. */
  public static FieldSelector notEqual(String field, String value) {
    return of(List.of(new FieldRequirement(field, Operator.NOT_EQUALS, value)));
  }

  /** Returns the selector of the objects in which all these fields have these values. */
  public static FieldSelector ofFields(Map<String, String> fields) {
    return of(
        new TreeMap<>(fields)
            .entrySet().stream()
                .map(
                    field ->
                        new FieldRequirement(field.getKey(), Operator.EQUALS, field.getValue()))
                .toList());
  }

  /** Returns the selector of the objects that meet all of these; nothing if one is nothing. */
  public static FieldSelector and(FieldSelector... selectors) {
    return Arrays.stream(selectors).anyMatch(FieldSelector::isNothing)
        ? NOTHING
        : of(Arrays.stream(selectors).flatMap(each -> each.requirements.stream()).toList());
  }

  /** Returns whether every object meets this selector, because it requires nothing. */
  public boolean isEverything() {
    return requirements.isEmpty() && !nothing;
  }

  /** Returns whether this is {@link #nothing}. */
  public boolean isNothing() {
    return nothing;
  }

  /** Returns the requirements; empty for {@link #nothing}. */
  public List<FieldRequirement> requirements() {
    return requirements;
  }

  /**
   * Returns whether an object meets this selector.
   *
   * @param fields the values of the fields of the object; a missing field counts as the empty
   *     string
   */
  public boolean matches(Map<String, String> fields) {
    for (FieldRequirement requirement : requirements) {
      if (!requirement.matches(fields)) {
        return false;
      }
    }
    return !nothing;
  }

  /**
   * Returns the only value that a field can have in an object that meets this selector, if a
   * requirement fixes it. A caller can then use an index instead of reading every object.
   */
  public Optional<String> requiresExactMatch(String field) {
    return requirements.stream()
        .filter(each -> each.operator() == Operator.EQUALS && each.field().equals(field))
        .map(FieldRequirement::value)
        .findFirst();
  }

  /**
   * Returns a selector with changed requirements, such as for another version of the resource with
   * other names of fields.
   *
   * @param change returns the replacement of a requirement, or empty to drop it
   */
  public FieldSelector transform(Function<FieldRequirement, Optional<FieldRequirement>> change) {
    return nothing
        ? NOTHING
        : of(requirements.stream().flatMap(each -> change.apply(each).stream()).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSelector selector
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
        : requirements.stream().map(FieldRequirement::toString).collect(Collectors.joining(","));
  }
}
