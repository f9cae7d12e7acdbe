package dev.clientgo.gen;

import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.schema.Resource;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a JSON object of a schema, with all fields set, without asking the generator what it saw.
 */
final class Samples {

  /** The values of the fields: a schema leaves much open. */
  enum Style {
    TYPICAL,
    /** Values that are easily confused with absence, or have more than one textual form. */
    ODD
  }

  private final Style style;

  private Samples(Style style) {
    this.style = style;
  }

  /** Returns an object of a resource. */
  static String of(Resource resource, Style style) {
    return new Samples(style).object(resource);
  }

  private String either(String typical, String odd) {
    return style == Style.TYPICAL ? typical : odd;
  }

  private String object(Resource resource) {
    List<String> fields = new ArrayList<>();
    fields.add("\"apiVersion\":" + JsonText.quote(resource.apiVersion()));
    fields.add("\"kind\":" + JsonText.quote(resource.kind()));
    fields.add("\"metadata\":" + either("{\"name\":\"sample\",\"labels\":{\"a\":\"b\"}}", "{}"));
    Node schema = resource.schema();
    Node properties = schema == null ? null : schema.get("properties");
    if (properties != null) {
      properties
          .fields()
          .forEach(
              (name, property) -> {
                if (!List.of("apiVersion", "kind", "metadata").contains(name)) {
                  fields.add(JsonText.quote(name) + ":" + value(property, name));
                }
              });
    }
    if (schema == null
        || properties == null
        || schema.isTrue("x-kubernetes-preserve-unknown-fields")) {
      fields.add("\"notInTheSchema\":{\"kept\":[1,null,\"x\"]}");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private String value(Node schema, String name) {
    if (!schema.isObject()) {
      return "{\"any\":[1]}";
    }
    if (schema.isTrue("x-kubernetes-int-or-string")
        || "int-or-string".equals(schema.string("format"))) {
      return either("\"25\"", "8080");
    }
    if (schema.isTrue("x-kubernetes-embedded-resource")) {
      return either(
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\",\"labels\":{\"a\":\"b\"}},\"data\":{\"k\":\"v\"}}",
          "{}");
    }
    String type = schema.string("type");
    if (type == null) {
      type =
          schema.get("properties") != null
              ? "object"
              : schema.get("items") != null ? "array" : "any";
    }
    return switch (type) {
      case "object" -> object(schema, name);
      case "array" ->
          style == Style.ODD && schema.get("items") == null
              ? "[]"
              : "[" + (schema.get("items") == null ? "1" : value(schema.get("items"), name)) + "]";
      case "string" -> string(schema);
      case "integer" ->
          "uint64".equals(schema.string("format")) ? "18446744073709551615" : either("42", "0");
      case "number" -> either("2.5", "3");
      case "boolean" -> either("true", "false");
      default -> "{\"any\":[1,null,{}]}";
    };
  }

  private String object(Node schema, String name) {
    List<String> fields = new ArrayList<>();
    Node properties = schema.get("properties");
    if (properties != null) {
      properties
          .fields()
          .forEach(
              (field, property) ->
                  fields.add(JsonText.quote(field) + ":" + value(property, field)));
    }
    Node additional = schema.get("additionalProperties");
    if (additional != null && additional.isObject()) {
      fields.add("\"some key\":" + value(additional, name));
    }
    boolean open =
        schema.isTrue("additionalProperties")
            || schema.isTrue("x-kubernetes-preserve-unknown-fields");
    if (open && (additional == null || !additional.isObject())) {
      fields.add("\"notInTheSchema\":[1,null]");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private String string(Node schema) {
    if ("date-time".equals(schema.string("format"))) {
      return either("\"2026-01-31T12:00:00Z\"", "\"2026-01-31T12:00:00.5+01:00\"");
    }
    if ("byte".equals(schema.string("format"))) {
      return "\"aGVsbG8=\"";
    }
    Node values = schema.get("enum");
    // Not only the first known value: an unknown one must survive too.
    return values == null || values.items().isEmpty()
        ? either("\"text\"", "\"\"")
        : either(values.items().get(0).toJson(), "\"newer than the schema\"");
  }
}
