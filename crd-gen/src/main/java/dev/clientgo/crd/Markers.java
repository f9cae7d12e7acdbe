package dev.clientgo.crd;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.yaml.YamlDocument;
import dev.clientgo.apimachinery.yaml.YamlReader;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Adds what {@link Schema} and {@link ValidationRule} say to the schema of a Java type. */
final class Markers {

  static final String RULES = "x-kubernetes-validations";
  static final String LIST_TYPE = "x-kubernetes-list-type";
  static final String MAP_TYPE = "x-kubernetes-map-type";

  /** Whole numbers up to here are exact as doubles. */
  private static final double EXACT = 1L << 53;

  private final Map<String, Object> schema;
  private final Place place;

  private Markers(Map<String, Object> schema, Place place) {
    this.schema = schema;
    this.place = place;
  }

  /** Adds what the annotations of a component, a use of a type, or a type say. */
  static void apply(AnnotatedElement element, Map<String, Object> schema, Place place) {
    Markers markers = new Markers(schema, place);
    Schema marker = element.getAnnotation(Schema.class);
    if (marker != null) {
      markers.text(marker);
      markers.numbers(marker);
      markers.collections(marker);
      markers.flags(marker);
      markers.defaultValue(marker.defaultValue());
    }
    markers.rules(element.getAnnotationsByType(ValidationRule.class));
  }

  private void text(Schema marker) {
    put("description", marker.description());
    put("format", marker.format());
    if (!marker.pattern().isEmpty()) {
      try {
        Pattern.compile(marker.pattern());
      } catch (PatternSyntaxException e) {
        throw place.problem("the pattern is no regular expression: " + e.getMessage());
      }
      constrain("pattern", marker.pattern(), "string");
    }
    if (marker.enumValues().length > 0) {
      constrain("enum", List.of(marker.enumValues()), "string");
    }
    range("Length", marker.minLength(), marker.maxLength(), "string");
  }

  private void numbers(Schema marker) {
    number("minimum", marker.minimum());
    number("maximum", marker.maximum());
    number("multipleOf", marker.multipleOf());
    if (marker.minimum() > marker.maximum()) {
      throw place.problem("the minimum is above the maximum");
    }
    exclusive("Minimum", marker.exclusiveMinimum(), marker.minimum());
    exclusive("Maximum", marker.exclusiveMaximum(), marker.maximum());
  }

  private void exclusive(String bound, boolean exclusive, double value) {
    if (exclusive && Double.isNaN(value)) {
      throw place.problem(
          "exclusive%s needs a %s".formatted(bound, bound.toLowerCase(Locale.ROOT)));
    } else if (exclusive) {
      schema.put("exclusive" + bound, true);
    }
  }

  private void number(String keyword, double value) {
    if (!Double.isNaN(value)) {
      boolean whole = value == Math.rint(value) && Math.abs(value) <= EXACT;
      if (!whole && "integer".equals(schema.get("type"))) {
        throw place.problem(keyword + " " + value + " of an integer must be a whole number");
      }
      constrain(keyword, whole ? (Object) (long) value : (Object) value, "integer", "number");
    }
  }

  private void collections(Schema marker) {
    range("Items", marker.minItems(), marker.maxItems(), "array");
    range("Properties", marker.minProperties(), marker.maxProperties(), "object");
    if (marker.listType() != Schema.ListType.BY_TYPE) {
      constrain(LIST_TYPE, lower(marker.listType()), "array");
    }
    if (marker.mapType() != Schema.MapType.BY_TYPE) {
      constrain(MAP_TYPE, lower(marker.mapType()), "object");
    }
    if (marker.listType() == Schema.ListType.MAP || marker.listMapKeys().length > 0) {
      keys(marker);
    }
  }

  /** The server refuses a key that an element may lack. */
  private void keys(Schema marker) {
    if (marker.listType() != Schema.ListType.MAP || marker.listMapKeys().length == 0) {
      throw place.problem("a list of type MAP needs listMapKeys, and only such a list has them");
    }
    Map<String, Object> items = child(schema, "items");
    for (String key : marker.listMapKeys()) {
      Map<String, Object> property = child(child(items, "properties"), key);
      if (property.isEmpty()) {
        throw place.problem("the elements have no field " + key + ", a key of the list");
      }
      boolean required = items.get("required") instanceof List<?> names && names.contains(key);
      if (!required && !property.containsKey("default")) {
        throw place.problem(
            "the key " + key + " may be absent; make it not nullable, or give it a default");
      }
    }
    schema.put("x-kubernetes-list-map-keys", List.of(marker.listMapKeys()));
  }

  private void flags(Schema marker) {
    if (marker.nullable()) {
      schema.put("nullable", true);
    }
    if (marker.preserveUnknownFields()) {
      constrain(KnownTypes.PRESERVE, true, "object");
    }
    if (marker.embeddedResource()) {
      constrain("x-kubernetes-embedded-resource", true, "object");
    }
  }

  private void defaultValue(String text) {
    if (text.equals(Schema.UNSET)) {
      return;
    }
    Object type = schema.get("type");
    Object value = "string".equals(type) ? text : tree(text);
    boolean fits =
        switch (String.valueOf(type)) {
          case "boolean" -> value instanceof Boolean;
          case "integer" -> value instanceof Long;
          case "number" -> value instanceof Number;
          case "array" -> value instanceof List;
          case "object" -> value instanceof Map;
          default -> true; // A string, or a value of any type.
        };
    if (!fits) {
      throw place.problem("the default " + text + " is no " + type);
    }
    if (schema.get("enum") instanceof List<?> values && !values.contains(value)) {
      throw place.problem("the default " + text + " is none of " + values);
    }
    schema.put("default", value);
  }

  private Object tree(String text) {
    List<YamlDocument> documents;
    try {
      documents = YamlReader.of("the default").read(text);
    } catch (CodecException e) {
      throw place.problem("the default \"" + text + "\" is not YAML: " + e.getMessage());
    }
    if (documents.size() != 1) {
      throw place.problem("the default \"" + text + "\" is not one value");
    }
    return documents.get(0).tree();
  }

  private void rules(ValidationRule[] annotations) {
    for (ValidationRule annotation : annotations) {
      Map<String, Object> rule = new TreeMap<>();
      Markers fields = new Markers(rule, place);
      fields.put("rule", annotation.rule());
      fields.put("message", annotation.message());
      fields.put("messageExpression", annotation.messageExpression());
      fields.put("reason", annotation.reason());
      fields.put("fieldPath", annotation.fieldPath());
      if (annotation.optionalOldSelf()) {
        rule.put("optionalOldSelf", true);
      }
      addRule(schema, rule);
    }
  }

  static void addRule(Map<String, Object> schema, Map<String, Object> rule) {
    List<Object> rules = new ArrayList<>();
    if (schema.get(RULES) instanceof List<?> before) {
      rules.addAll(before);
    }
    rules.add(rule);
    schema.put(RULES, rules);
  }

  private void put(String keyword, String text) {
    if (!text.isEmpty()) {
      schema.put(keyword, text);
    }
  }

  private void range(String of, long min, long max, String type) {
    if (min >= 0) {
      constrain("min" + of, min, type);
    }
    if (max >= 0) {
      constrain("max" + of, max, type);
    }
    if (max >= 0 && min > max) {
      throw place.problem("min" + of + " is above max" + of);
    }
  }

  private void constrain(String keyword, Object value, String... types) {
    Object type = schema.get("type");
    if (type != null && !List.of(types).contains(type)) {
      throw place.problem(
          keyword + " is for the type " + String.join(" or ", types) + ", but this is " + type);
    }
    schema.put(keyword, value);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns an object within a schema; empty if there is none. */
  @SuppressWarnings("unchecked") // A schema has maps from strings only.
  static Map<String, Object> child(Map<String, Object> schema, String name) {
    return schema.get(name) instanceof Map<?, ?> found ? (Map<String, Object>) found : Map.of();
  }
}
