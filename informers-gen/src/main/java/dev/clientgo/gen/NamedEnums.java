package dev.clientgo.gen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the enumerations of Kubernetes the names of their Go types, so that all fields of one
 * meaning have one class, such as {@code core.v1.Protocol}. OpenAPI repeats the values in each
 * field, without a name.
 */
final class NamedEnums {

  private NamedEnums() {}

  /** Names the enumerations in a catalog that the built-in schema names. */
  static void nameAll(Catalog catalog) {
    List<String> types = catalog.reachableTypes().stream().filter(Layout::isBuiltIn).toList();
    if (types.stream().noneMatch(name -> hasEnum(catalog.type(name)))) {
      return;
    }
    Catalog builtIn = BuiltInSchema.catalog();
    for (String type : types) {
      Node properties = properties(catalog.type(type));
      Node named = properties(builtIn.type(type));
      if (properties != null && named != null) {
        for (String field : List.copyOf(named.fields().keySet())) {
          Node leaf = leaf(named.get(field));
          String reference = leaf == null ? null : ShapeReader.reference(leaf);
          Node values = reference == null ? null : builtIn.type(reference);
          if (values != null && ShapeReader.isEnumeration(values)) {
            name(catalog, leaf(properties.get(field)), String.valueOf(reference), values);
          }
        }
      }
    }
  }

  private static boolean hasEnum(@Nullable Node type) {
    Node properties = properties(type);
    return properties != null
        && properties.fields().values().stream().anyMatch(NamedEnums::isEnumeration);
  }

  private static boolean isEnumeration(Node property) {
    Node leaf = leaf(property);
    return leaf != null && ShapeReader.isEnumeration(leaf);
  }

  private static @Nullable Node properties(@Nullable Node type) {
    return type == null ? null : type.get("properties");
  }

  /** Returns the schema of a field, or of the elements of its lists and maps. */
  static @Nullable Node leaf(@Nullable Node property) {
    Node leaf = property;
    while (leaf != null && leaf.isObject()) {
      Node inner = leaf.get("items") == null ? leaf.get("additionalProperties") : leaf.get("items");
      if (inner == null) {
        return leaf;
      }
      leaf = inner;
    }
    return null;
  }

  /**
   * Makes the schema of a string refer to a named type, which is added to the catalog.
   *
   * @param values a schema with the values, for a field whose schema has none
   */
  static void name(Catalog catalog, @Nullable Node schema, String name, Node values) {
    if (schema == null || !"string".equals(schema.string("type"))) {
      return;
    }
    Node type = new Node(Node.Kind.OBJECT, schema);
    for (String keyword : List.of("type", "enum")) {
      Node own = schema.fields().remove(keyword);
      Node value = own == null ? values.get(keyword) : own;
      if (value != null) {
        type.put(keyword, value);
      }
    }
    catalog.addType(name, type);
    schema.putString("$ref", name);
  }
}
