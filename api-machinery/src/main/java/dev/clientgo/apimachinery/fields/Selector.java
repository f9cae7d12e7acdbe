package dev.clientgo.apimachinery.fields;

import dev.clientgo.apimachinery.fields.Requirement.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A choice of objects by the values of some of their fields: all those that meet every one of its
 * requirements. Which fields can be asked for is up to the server; {@code metadata.name} and {@code
 * metadata.namespace} always can. Immutable.
 *
 * <p>Corresponds to client-go's {@code fields.Selector}.
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

  private static Selector of(List<Requirement> requirements) {
    return requirements.isEmpty() ? EVERYTHING : new Selector(requirements, false);
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
   * Parses the textual form, such as {@code metadata.name=web,status.phase!=Running}. Empty terms
   * are skipped; an empty text gives {@link #everything}.
   *
   * @throws IllegalArgumentException if the text is not a selector; the message says why
   */
  public static Selector parse(String text) {
    return of(SelectorParser.parse(text));
  }

  /** Returns the selector of the objects in which a field has this value. */
  public static Selector equal(String field, String value) {
    return of(List.of(new Requirement(field, Operator.EQUALS, value)));
  }

  /** Returns the selector of the objects in which a field has another value. */
  public static Selector notEqual(String field, String value) {
    return of(List.of(new Requirement(field, Operator.NOT_EQUALS, value)));
  }

  /** Returns the selector of the objects in which all these fields have these values. */
  public static Selector ofFields(Map<String, String> fields) {
    return of(
        new TreeMap<>(fields)
            .entrySet().stream()
                .map(field -> new Requirement(field.getKey(), Operator.EQUALS, field.getValue()))
                .toList());
  }

  /** Returns the selector of the objects that meet all of these; nothing if one is nothing. */
  public static Selector and(Selector... selectors) {
    return Arrays.stream(selectors).anyMatch(Selector::isNothing)
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

  /** Returns what this selector requires; empty for nothing. */
  public List<Requirement> requirements() {
    return requirements;
  }

  /**
   * Returns whether an object meets this selector.
   *
   * @param fields the values of the fields of the object; a field that is not there has the empty
   *     string as its value
   */
  public boolean matches(Map<String, String> fields) {
    return !nothing && requirements.stream().allMatch(requirement -> requirement.matches(fields));
  }

  /**
   * Returns the only value that a field can have in an object that meets this selector, if a
   * requirement says so. An index can then be asked instead of every object.
   */
  public Optional<String> requiresExactMatch(String field) {
    return requirements.stream()
        .filter(each -> each.operator() == Operator.EQUALS && each.field().equals(field))
        .map(Requirement::value)
        .findFirst();
  }

  /**
   * Returns a selector with other requirements, such as for another version of the resource, which
   * calls its fields otherwise.
   *
   * @param change gives what to put in the place of a requirement, or empty to leave it out
   */
  public Selector transform(Function<Requirement, Optional<Requirement>> change) {
    return nothing
        ? NOTHING
        : of(requirements.stream().flatMap(each -> change.apply(each).stream()).toList());
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
   * Returns the text that {@link #parse} understands and that is sent to a server; empty for {@link
   * #everything}.
   *
   * <p>{@link #nothing} has no such form. Its text is refused by {@link #parse} and by servers.
   */
  @Override
  public String toString() {
    // Unlike client-go, where nothing is the empty string, by which a server selects everything.
    return nothing
        ? "<nothing>"
        : requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
  }
}
