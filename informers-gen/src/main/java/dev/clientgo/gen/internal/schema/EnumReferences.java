package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces the values that a field repeats by a reference to a named enumeration. */
public final class EnumReferences {

  private EnumReferences() {}

  /** Returns the schema of a field, or of the elements of its lists and maps. */
  public static @Nullable Node leaf(@Nullable Node property) {
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
  public static void name(Catalog catalog, @Nullable Node schema, String name, Node values) {
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
