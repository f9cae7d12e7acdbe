package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.shape.ShapeReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A compact file of an API server's types: their structure, without descriptions.
 *
 * <p>A JSON document with the resources, and the named types in JSON Schema. A property is one
 * line, so that two versions can be compared line by line.
 */
public final class SchemaFile {

  private static final String FORMAT = "clientgo.dev/schema/v1";

  /** The attributes of a schema that the file keeps. */
  private static final List<String> KEPT =
      List.of(
          "type",
          "format",
          "maximum",
          "pattern",
          "protobuf",
          "omitempty",
          "default",
          "nullable",
          "required",
          "enum",
          "items",
          "additionalProperties",
          "x-kubernetes-group-version-kind",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-int-or-string",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-embedded-resource");

  private SchemaFile() {}

  /** Returns whether a document is such a file. */
  static boolean isSchemaFile(Node document) {
    return FORMAT.equals(document.string("schema"));
  }

  /** Adds the contents of a file to a catalog. */
  static void read(Node document, Catalog catalog) {
    catalog.kubernetesVersion(document.string("source"));
    document.requireObject("types").fields().forEach(catalog::addType);
    document.strings("otherKinds").forEach(catalog::addOtherKind);
    for (Node each : document.requireArray("resources").items()) {
      String typeName = each.requireString("type");
      catalog.add(
          new Resource(
              String.valueOf(each.string("group")),
              each.requireString("version"),
              each.requireString("kind"),
              each.requireString("plural"),
              each.requireString("singular"),
              each.isTrue("namespaced"),
              each.strings("shortNames"),
              each.strings("verbs"),
              each.strings("subresources"),
              null,
              typeName,
              each));
    }
  }

  /** Returns the file for a catalog: its resources, and all types they need. */
  public static String write(Catalog catalog, String source) {
    StringBuilder out = new StringBuilder("{\n");
    out.append("  \"schema\": ").append(JsonText.quote(FORMAT)).append(",\n");
    out.append("  \"source\": ").append(JsonText.quote(source)).append(",\n");
    out.append("  \"resources\": [\n");
    List<String> lines = new ArrayList<>();
    for (Resource resource : new TreeMap<>(byKey(catalog)).values()) {
      if (resource.typeName() != null) {
        lines.add("    " + resource(resource));
      }
    }
    out.append(String.join(",\n", lines)).append("\n  ],\n  \"otherKinds\": [\n    ");
    out.append(String.join(",\n    ", otherKinds(catalog))).append("\n  ],\n  \"types\": {\n");
    List<String> types = new ArrayList<>();
    for (String name : catalog.reachableTypes()) {
      Node type = catalog.type(name);
      if (type != null) {
        types.add("    " + JsonText.quote(name) + ": " + type(type));
      }
    }
    return out.append(String.join(",\n", types)).append("\n  }\n}\n").toString();
  }

  private static List<String> otherKinds(Catalog catalog) {
    List<String> served = catalog.resources().stream().map(Resource::typeName).toList();
    return catalog.otherKinds().stream()
        .filter(name -> !served.contains(name))
        .map(JsonText::quote)
        .toList();
  }

  private static Map<String, Resource> byKey(Catalog catalog) {
    Map<String, Resource> sorted = new TreeMap<>();
    for (Resource resource : catalog.resources()) {
      sorted.put(resource.apiVersion() + "/" + resource.kind(), resource);
    }
    return sorted;
  }

  private static String resource(Resource resource) {
    return """
        {"group": %s, "version": %s, "kind": %s, "plural": %s, "singular": %s, "namespaced": %s%s%s%s, \
        "type": %s}"""
        .formatted(
            JsonText.quote(resource.group()),
            JsonText.quote(resource.version()),
            JsonText.quote(resource.kind()),
            JsonText.quote(resource.plural()),
            JsonText.quote(resource.singular()),
            resource.namespaced(),
            list("shortNames", resource.shortNames()),
            list("verbs", resource.verbs()),
            list("subresources", resource.subresources()),
            JsonText.quote(String.valueOf(resource.typeName())));
  }

  private static String list(String name, List<String> values) {
    return values.isEmpty()
        ? ""
        : ", "
            + JsonText.quote(name)
            + ": ["
            + String.join(", ", values.stream().map(JsonText::quote).toList())
            + "]";
  }

  private static String type(Node schema) {
    List<String> parts = new ArrayList<>(attributes(schema));
    Node properties = schema.get("properties");
    if (properties != null) {
      List<String> lines = new ArrayList<>();
      properties
          .fields()
          .forEach(
              (name, each) -> lines.add("        " + JsonText.quote(name) + ": " + inline(each)));
      parts.add("\"properties\": {\n" + String.join(",\n", lines) + "\n      }");
    }
    return parts.isEmpty() ? "{}" : "{\n      " + String.join(",\n      ", parts) + "\n    }";
  }

  private static String inline(Node schema) {
    if (!schema.isObject()) {
      return "{}";
    }
    List<String> parts = new ArrayList<>(attributes(schema));
    Node properties = schema.get("properties");
    if (properties != null) {
      List<String> fields = new ArrayList<>();
      properties
          .fields()
          .forEach((name, each) -> fields.add(JsonText.quote(name) + ": " + inline(each)));
      parts.add("\"properties\": {" + String.join(", ", fields) + "}");
    }
    return "{" + String.join(", ", parts) + "}";
  }

  private static List<String> attributes(Node schema) {
    List<String> parts = new ArrayList<>();
    String reference = ShapeReader.reference(schema);
    if (reference != null) {
      parts.add("\"$ref\": " + JsonText.quote(reference));
    }
    for (String name : KEPT) {
      Node value = schema.get(name);
      if (value != null && (!name.equals("default") || isStruct(schema, value))) {
        boolean inner = name.equals("items") || name.equals("additionalProperties");
        parts.add(
            JsonText.quote(name)
                + ": "
                + (inner && value.isObject() ? inline(value) : json(value)));
      }
    }
    return parts;
  }

  /** Returns whether the default of a field says that Go keeps it as a struct, not as a pointer. */
  private static boolean isStruct(Node schema, Node value) {
    return value.toJson().equals("{}") && !schema.step().equals(".items");
  }

  private static String json(@Nullable Node value) {
    return value == null ? "null" : value.toJson();
  }
}
