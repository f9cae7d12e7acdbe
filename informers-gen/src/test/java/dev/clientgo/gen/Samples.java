package dev.clientgo.gen;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a JSON object of a schema, with all fields set, without asking the generator what it saw.
 */
final class Samples {

  private Samples() {}

  /** Returns an object of a resource. */
  static String of(Resource resource) {
    List<String> fields = new ArrayList<>();
    fields.add("\"apiVersion\":" + Text.json(resource.apiVersion()));
    fields.add("\"kind\":" + Text.json(resource.kind()));
    fields.add("\"metadata\":{\"name\":\"sample\",\"labels\":{\"a\":\"b\"}}");
    Node schema = resource.schema();
    Node properties = schema == null ? null : schema.get("properties");
    if (properties != null) {
      properties
          .fields()
          .forEach(
              (name, property) -> {
                if (!List.of("apiVersion", "kind", "metadata").contains(name)) {
                  fields.add(Text.json(name) + ":" + value(property, name));
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

  private static String value(Node schema, String name) {
    if (!schema.isObject()) {
      return "{\"any\":[1]}";
    }
    if (schema.isTrue("x-kubernetes-int-or-string")) {
      return "\"25\"";
    }
    if (schema.isTrue("x-kubernetes-embedded-resource")) {
      return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},\"data\":{\"k\":\"v\"}}";
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
          "[" + (schema.get("items") == null ? "1" : value(schema.get("items"), name)) + "]";
      case "string" -> string(schema);
      case "integer" -> "uint64".equals(schema.string("format")) ? "18446744073709551615" : "42";
      case "number" -> "2.5";
      case "boolean" -> "false";
      default -> "{\"any\":[1,null,{}]}";
    };
  }

  private static String object(Node schema, String name) {
    List<String> fields = new ArrayList<>();
    Node properties = schema.get("properties");
    if (properties != null) {
      properties
          .fields()
          .forEach(
              (field, property) -> fields.add(Text.json(field) + ":" + value(property, field)));
    }
    Node additional = schema.get("additionalProperties");
    if (additional != null && additional.isObject()) {
      fields.add("\"some key\":" + value(additional, name));
    }
    boolean open =
        schema.isTrue("additionalProperties")
            || schema.isTrue("x-kubernetes-preserve-unknown-fields");
    if (open) {
      fields.add("\"notInTheSchema\":[1,null]");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private static String string(Node schema) {
    if ("date-time".equals(schema.string("format"))) {
      return "\"2026-01-31T12:00:00Z\"";
    }
    if ("byte".equals(schema.string("format"))) {
      return "\"aGVsbG8=\"";
    }
    Node values = schema.get("enum");
    // Not only the first known value: an unknown one must survive too.
    return values == null || values.items().isEmpty() ? "\"text\"" : "\"newer than the schema\"";
  }
}
