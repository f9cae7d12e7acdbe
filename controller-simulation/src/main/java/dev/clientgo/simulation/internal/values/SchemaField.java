package dev.clientgo.simulation.internal.values;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place in the schema of a kind: a field, the elements of a list or the values of a map.
 * Immutable.
 *
 * @param path the names of the fields from the object on; {@value #ELEMENT} is the first element of
 *     a list, {@value #ENTRY} the first value of a map
 * @param schema what may be there
 * @param required whether something must be there
 */
public record SchemaField(List<String> path, Map<String, Object> schema, boolean required) {

  static final String ELEMENT = "[]";
  static final String ENTRY = "*";

  private static final Set<String> NOT_OF_THE_USER =
      Set.of("apiVersion", "kind", "metadata", "status");

  /** Returns all fields that a user writes, those of metadata aside; parents before children. */
  public static List<SchemaField> all(Map<String, Object> schema) {
    List<SchemaField> fields = new ArrayList<>();
    addChildren(fields, new SchemaField(List.of(), schema, true));
    fields.removeIf(field -> NOT_OF_THE_USER.contains(field.path().get(0)));
    return fields;
  }

  private static void addChildren(List<SchemaField> fields, SchemaField of) {
    List<String> steps = new ArrayList<>(object(of.schema, "properties").keySet());
    steps.addAll(List.of(ELEMENT, ENTRY));
    for (String step : steps) {
      Map<String, Object> inner = child(of.schema, step);
      if (!inner.isEmpty()) {
        boolean optional = object(of.schema, "properties").containsKey(step);
        boolean required = of.schema.get("required") instanceof List<?> all && all.contains(step);
        List<String> path = new ArrayList<>(of.path);
        path.add(step);
        fields.add(new SchemaField(path, inner, required || !optional));
        addChildren(fields, fields.get(fields.size() - 1));
      }
    }
  }

  /** Returns the schema one step deeper; empty if there is none. */
  static Map<String, Object> child(Map<String, Object> schema, String step) {
    return switch (step) {
      case ELEMENT -> object(schema, "items");
      case ENTRY -> object(schema, "additionalProperties");
      default -> object(object(schema, "properties"), step);
    };
  }

  @SuppressWarnings("unchecked") // The keys of JSON are strings.
  private static Map<String, Object> object(Map<String, Object> of, String name) {
    return of.get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** Returns whether this is a part of another field. */
  public boolean isBelow(SchemaField other) {
    return path.size() > other.path.size() && path.subList(0, other.path.size()).equals(other.path);
  }

  /** Returns the last name in the path. */
  String name() {
    return toString().replaceAll("[.*\\[\\]]+$", "").replaceAll(".*\\.", "");
  }

  /** Returns what an object has in this place; null if nothing. */
  public @Nullable Object of(Map<String, ?> object) {
    Object value = object;
    for (String step : path) {
      if (value instanceof List<?> list && step.equals(ELEMENT)) {
        value = list.isEmpty() ? null : list.get(0);
      } else {
        value = value instanceof Map<?, ?> map ? map.get(key(step, map)) : null;
      }
    }
    return value;
  }

  /** Returns the key in a map that a step of a path means. */
  static String key(String step, Map<?, ?> map) {
    return !step.equals(ENTRY)
        ? step
        : map.isEmpty() ? "a" : String.valueOf(map.keySet().iterator().next());
  }

  /** Returns the path, as in {@code spec.hosts[].name}. */
  @Override
  public String toString() {
    return String.join(".", path).replace("." + ELEMENT, ELEMENT);
  }
}
