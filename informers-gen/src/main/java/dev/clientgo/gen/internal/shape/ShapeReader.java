package dev.clientgo.gen.internal.shape;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.report.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shape of a schema. Nothing in a schema is an error: a part without a Java type stays
 * JSON, with a note that says why.
 */
public final class ShapeReader {

  /** A wider object stays JSON: its class would exceed what a class file can hold. */
  static final int MAX_FIELDS = 2_500;

  /** The same for an object that keeps unknown fields: its codec needs more code for a field. */
  private static final int MAX_OPEN_FIELDS = 600;

  private static final int MAX_ENUM_VALUES = 500;

  /** The weight of a structure with a separate class, within another. */
  private static final int EDITABLE_WEIGHT = 3;

  /** The prefix of a quantity's pattern; the rest differs by version. */
  private static final String QUANTITY_PATTERN = "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))((";

  private static final Set<String> TYPE_AND_METADATA = Set.of("apiVersion", "kind", "metadata");

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

  private final Consumer<Report.Problem> notes;
  private final Map<String, Integer> signatures = new HashMap<>();

  /** The names that are being read like their types. */
  private final Set<String> unfolding = new HashSet<>();

  private final Function<String, @Nullable Node> types;
  private final Function<String, @Nullable Shape> others;
  private final MappedClasses mapped;
  private final Function<Shape.Struct, @Nullable Shape> existing;

  /**
   * @param types gives the schema of a named type
   */
  public ShapeReader(Function<String, @Nullable Node> types, Consumer<Report.Problem> notes) {
    this(types, name -> null, new MappedClasses(Map.of()), struct -> null, notes);
  }

  /**
   * @param types gives the schema of a named type
   * @param others gives what to use for a named type without a schema
   * @param mapped the classes that the user has for parts of schemas
   * @param existing gives what to use instead of a class of a structure's own
   */
  public ShapeReader(
      Function<String, @Nullable Node> types,
      Function<String, @Nullable Shape> others,
      MappedClasses mapped,
      Function<Shape.Struct, @Nullable Shape> existing,
      Consumer<Report.Problem> notes) {
    this.types = types;
    this.others = others;
    this.mapped = mapped;
    this.existing = existing;
    this.notes = notes;
  }

  /** Returns the shape of a schema. */
  Shape read(Node schema) {
    String className = mapped.of(schema);
    if (className != null) {
      return new Shape.Known(className, false, false);
    }
    String reference = reference(schema);
    if (reference != null) {
      return named(schema, reference);
    }
    if (isIntOrString(schema)) {
      String pattern = schema.string("pattern");
      return pattern != null && pattern.startsWith(QUANTITY_PATTERN)
          ? WellKnown.QUANTITY
          : WellKnown.INT_OR_STRING;
    }
    String type = type(schema);
    if (hasForeignValues(schema, type)) {
      return any(schema, "the enum has values that are not of the type " + type);
    }
    return switch (type) {
      case "object" -> object(schema);
      case "array" -> new Shape.ListOf(element(schema.get("items"), schema));
      case "string" -> string(schema);
      case "integer" -> integer(schema);
      case "number" -> Shape.Scalar.DOUBLE;
      case "boolean" -> Shape.Scalar.BOOLEAN;
      case "" -> Shape.Scalar.ANY;
      default ->
          throw requireNonNull(schema.get("type"))
              .error(
                  JsonText.quote(type)
                      + " is not a type of JSON: array, boolean, integer, number, object, string");
    };
  }

  private static boolean hasForeignValues(Node schema, String type) {
    Node values = schema.get("enum");
    Node.Kind kind =
        switch (type) {
          case "string" -> Node.Kind.STRING;
          case "integer", "number" -> Node.Kind.NUMBER;
          case "boolean" -> Node.Kind.BOOLEAN;
          default -> null;
        };
    return kind != null
        && values != null
        && values.items().stream()
            .anyMatch(value -> value.kind() != kind && value.kind() != Node.Kind.NULL);
  }

  private Shape named(Node schema, String name) {
    Shape known = WellKnown.NAMED.get(name);
    if (known != null) {
      return known;
    }
    Node type = types.apply(name);
    if (type == null) {
      Shape other = others.apply(name);
      return other == null
          ? any(schema, "refers to " + JsonText.quote(name) + ", which is not in the input")
          : other;
    }
    if (type.get("properties") != null) {
      return new Shape.Named(name, false);
    }
    if (isEnumeration(type)) {
      return new Shape.Named(name, true);
    }
    // A named string, list or other name needs no class: it is read like one without a name.
    if (!unfolding.add(name)) {
      return any(schema, "is part of itself, and has no class that could be");
    }
    try {
      return read(type);
    } finally {
      unfolding.remove(name);
    }
  }

  /** Returns whether a named type is a string of which some values are known. */
  public static boolean isEnumeration(Node type) {
    List<String> values = type.strings("enum");
    return "string".equals(type.string("type"))
        && !values.isEmpty()
        && values.size() <= MAX_ENUM_VALUES;
  }

  /** Returns the name of the type that a schema refers to, if it does. */
  public static @Nullable String reference(Node schema) {
    String reference = schema.string("$ref");
    Node allOf = schema.get("allOf");
    if (reference == null && allOf != null && allOf.items().size() == 1) {
      reference = allOf.items().get(0).string("$ref");
    }
    return reference == null ? null : reference.substring(reference.lastIndexOf('/') + 1);
  }

  private static boolean isIntOrString(Node schema) {
    return schema.isTrue("x-kubernetes-int-or-string")
        || "int-or-string".equals(schema.string("format"));
  }

  /** Returns the type, inferred where it is missing, or empty where anything may stand. */
  private String type(Node schema) {
    String type = schema.string("type");
    if (type != null) {
      return type;
    }
    List<String> types = schema.strings("type").stream().filter(t -> !t.equals("null")).toList();
    if (types.size() == 1) {
      return types.get(0);
    }
    if (schema.get("properties") != null || schema.get("additionalProperties") != null) {
      return "object";
    }
    if (schema.get("items") != null) {
      return "array";
    }
    if (!schema.isTrue("x-kubernetes-preserve-unknown-fields")) {
      note(schema, "has no single type: kept as JSON");
    }
    return "";
  }

  private Shape object(Node schema) {
    Node properties = schema.get("properties");
    Node additional = schema.get("additionalProperties");
    boolean open =
        schema.isTrue("x-kubernetes-preserve-unknown-fields")
            || schema.isTrue("additionalProperties")
            || (additional != null && additional.isObject());
    boolean embedded = schema.isTrue("x-kubernetes-embedded-resource");
    if (properties != null && !properties.fields().isEmpty()) {
      // A server keeps all three of an embedded resource, also those that the schema does not name.
      boolean unnamed = embedded && !properties.fields().keySet().containsAll(TYPE_AND_METADATA);
      return embedded && TYPE_AND_METADATA.containsAll(properties.fields().keySet())
          ? WellKnown.UNSTRUCTURED
          : struct(schema, properties, open || unnamed);
    }
    if (embedded) {
      return WellKnown.UNSTRUCTURED;
    }
    if (additional != null && additional.isObject() && !additional.fields().isEmpty()) {
      return new Shape.MapOf(element(additional, schema));
    }
    return schema.isTrue("additionalProperties") || (additional != null && additional.isObject())
        ? new Shape.MapOf(Shape.Scalar.ANY)
        : Shape.Scalar.ANY;
  }

  /** Returns the shape of the elements of a list or map. */
  private Shape element(@Nullable Node schema, Node owner) {
    if (schema == null || !schema.isObject()) {
      return any(owner, "the elements have no schema");
    }
    if (schema.isTrue("nullable")) {
      // A typed list or map has no place for null, and null is not the same as no element.
      return any(schema, "elements may be null");
    }
    return read(schema);
  }

  private Shape struct(Node schema, Node properties, boolean open) {
    boolean byName = open || hasUnnamed(properties);
    int maxFields = byName ? MAX_OPEN_FIELDS : MAX_FIELDS;
    if (properties.fields().size() > maxFields) {
      return any(schema, "has more than " + maxFields + " properties");
    }
    Shape.Struct struct = struct(schema, fields(schema, properties), byName);
    Shape known = existing.apply(struct);
    return known == null ? struct : known;
  }

  /** Returns whether an object has a field without a name, which is kept with the unknown ones. */
  public static boolean hasUnnamed(Node properties) {
    return properties.fields().containsKey("");
  }

  /** Returns the fields of an object. */
  public List<Shape.Field> fields(Node schema, Node properties) {
    List<String> required = schema.strings("required");
    List<Shape.Field> fields = new ArrayList<>();
    properties
        .fields()
        .forEach(
            (name, property) -> {
              if (name.isEmpty()) {
                any(property, "has no name");
                return;
              }
              Shape shape =
                  property.isObject()
                      ? isEmbeddedMetadata(name, property, schema)
                          ? WellKnown.OBJECT_META
                          : read(property)
                      : any(property, "has no schema");
              fields.add(
                  new Shape.Field(
                      name,
                      shape,
                      shape.isObject() && isExpected(property, shape, required.contains(name)),
                      property.isObject() ? property.string("description") : null,
                      defaultOf(property),
                      keyOf(property),
                      protobufOf(property, shape)));
            });
    // The order of upstream's own types.
    fields.sort(Comparator.comparing(ShapeReader::order));
    return fields;
  }

  /**
   * Returns whether readers may expect an object. Kubernetes' schema gives the default {@code {}}
   * to each field that is a struct in Go, and not a pointer. A CRD names only the required fields.
   */
  private static boolean isExpected(Node property, Shape shape, boolean required) {
    Node value = property.isObject() ? property.get("default") : null;
    boolean byDefault = value != null && value.toJson().equals("{}");
    // An absent selector selects nothing, and an empty one everything: they must not look alike.
    return (byDefault || required) && !shape.equals(WellKnown.LABEL_SELECTOR);
  }

  /** Returns a key that puts fields into the order of their numbers, those without at the end. */
  private static String order(Shape.Field field) {
    if (field.protobuf() == null) {
      return "~";
    }
    StringBuilder key = new StringBuilder();
    for (String number : field.protobuf().replace("z", "").split("\\.", -1)) {
      key.append("%9s".formatted(number));
    }
    return key.toString();
  }

  /** Returns where a field is in protobuf, and whether its zero is left out of JSON. */
  private static @Nullable String protobufOf(Node property, Shape shape) {
    Node numbers = property.isObject() ? property.get("protobuf") : null;
    if (numbers == null) {
      return null;
    }
    String path =
        numbers.items().isEmpty()
            ? numbers.text()
            : String.join(".", numbers.items().stream().map(Node::text).toList());
    if (!path.matches("[0-9]{1,9}(\\.[0-9]{1,9}){0,9}")) {
      return null;
    }
    // A struct that is all zeroes is sent as an empty object.
    boolean scalar =
        shape instanceof Shape.Scalar
            || shape instanceof Shape.Enumeration
            || (shape instanceof Shape.Named named && named.enumeration());
    return scalar && property.isTrue("omitempty") ? path + "z" : path;
  }

  /** Returns the one field that identifies the elements of a list, if it is a plain string. */
  private @Nullable String keyOf(Node property) {
    Node items = property.isObject() ? property.get("items") : null;
    List<String> keys = items == null ? List.of() : property.strings("x-kubernetes-list-map-keys");
    if (items == null || keys.size() != 1) {
      return null;
    }
    String reference = reference(items);
    if (reference != null
        && WellKnown.CONDITION.equals(WellKnown.NAMED.get(reference))
        && keys.get(0).equals("type")) {
      // Its schema is not needed, since its class is written by hand, and so may be missing.
      return "type";
    }
    Node element = reference == null ? items : types.apply(reference);
    Node key = element == null ? null : element.at("properties", keys.get(0));
    return key != null && isPlainString(key) ? keys.get(0) : null;
  }

  private boolean isPlainString(Node schema) {
    return schema.isObject()
        && "string".equals(schema.string("type"))
        && schema.get("enum") == null
        && schema.get("format") == null
        && !isIntOrString(schema)
        && mapped.of(schema) == null;
  }

  private static @Nullable String defaultOf(Node property) {
    Node value = property.isObject() ? property.get("default") : null;
    if (value == null) {
      return null;
    }
    String json = value.toJson();
    return json.equals("{}") || json.equals("\"\"") || json.length() > 200 ? null : json;
  }

  /**
   * Returns whether a field is the metadata of an embedded resource, of which a schema may name a
   * part, or that of a template: an object of which nothing is said.
   */
  private static boolean isEmbeddedMetadata(String name, Node property, Node owner) {
    if (!name.equals("metadata") || owner.isTrue("x-kubernetes-embedded-resource")) {
      return name.equals("metadata");
    }
    return owner.at("properties", "spec") != null
        && "object".equals(property.string("type"))
        && property.get("properties") == null
        && property.get("additionalProperties") == null
        && !property.isTrue("x-kubernetes-preserve-unknown-fields");
  }

  /** Returns an object with the given fields. */
  public Shape.Struct struct(Node schema, List<Shape.Field> fields, boolean open) {
    StringBuilder content = new StringBuilder(open ? "open{" : "{");
    int weight = 0;
    for (Shape.Field field : fields) {
      content.append(JsonText.quote(field.name())).append(':').append(field.shape().signature());
      content.append(field.expected() ? "!;" : ";");
      weight += 1 + weight(field.shape());
    }
    return new Shape.Struct(
        signature("S", content.toString()),
        List.copyOf(fields),
        open,
        weight,
        schema.string("description"),
        schema);
  }

  private static int weight(Shape shape) {
    if (shape instanceof Shape.Known known && known.editable()) {
      return EDITABLE_WEIGHT;
    }
    if (shape instanceof Shape.Struct struct) {
      return struct.weight();
    }
    if (shape instanceof Shape.ListOf list) {
      return weight(list.element());
    }
    return shape instanceof Shape.MapOf map ? weight(map.value()) : 0;
  }

  private String signature(String prefix, String content) {
    return prefix + signatures.computeIfAbsent(prefix + content, key -> signatures.size());
  }

  private Shape string(Node schema) {
    if (isEnumeration(schema)) {
      return enumeration(schema);
    }
    String format = schema.string("format");
    if ("date-time".equals(format)) {
      return WellKnown.TIME;
    }
    return "byte".equals(format) ? WellKnown.BYTES : Shape.Scalar.STRING;
  }

  /** Returns the shape of a string of which some values are known. */
  public Shape.Enumeration enumeration(Node schema) {
    List<String> values = schema.strings("enum").stream().distinct().toList();
    String sorted = String.join("\n", values.stream().map(JsonText::quote).sorted().toList());
    return new Shape.Enumeration(signature("E", schema.fieldName() + "\n" + sorted), values);
  }

  private Shape integer(Node schema) {
    String format = schema.string("format");
    return switch (format == null ? "int64" : format) {
      case "int8", "int16", "int32", "uint8", "uint16" ->
          exceedsInt(schema.get("maximum")) ? Shape.Scalar.LONG : Shape.Scalar.INT;
      case "int64", "uint32" -> Shape.Scalar.LONG;
      case "uint64", "uint" -> Shape.Scalar.NUMBER;
      default -> {
        note(schema, "the format " + JsonText.quote(format + "") + " is not known: read as int64");
        yield Shape.Scalar.LONG;
      }
    };
  }

  /**
   * Returns whether a maximum is above an int's: some say {@code int32} and mean a {@code uint32}.
   */
  private static boolean exceedsInt(@Nullable Node maximum) {
    return maximum != null
        && NUMBER.matcher(maximum.text()).matches()
        && Double.parseDouble(maximum.text()) > Integer.MAX_VALUE;
  }

  private Shape any(Node schema, String why) {
    note(schema, why + ": kept as JSON");
    return Shape.Scalar.ANY;
  }

  private void note(Node schema, String text) {
    notes.accept(schema.problem(text));
  }
}
