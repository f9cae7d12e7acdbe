package dev.clientgo.gen.internal.model;

import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.EnumReferences;
import dev.clientgo.gen.internal.shape.ShapeReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the enumerations of Kubernetes the names of their Go types, so that all fields of one
 * meaning have one class, such as {@code core.v1.Protocol}. OpenAPI repeats the values in each
 * field, without a name.
 */
public final class NamedEnums {

  private NamedEnums() {}

  /** Names the enumerations in a catalog that the built-in schema names. */
  public static void nameAll(Catalog catalog) {
    List<String> types = catalog.reachableTypes().stream().filter(BuiltInSchema::contains).toList();
    if (types.stream().noneMatch(name -> hasEnum(catalog.type(name)))) {
      return;
    }
    Catalog builtIn = BuiltInSchema.catalog();
    for (String type : types) {
      Node properties = properties(catalog.type(type));
      Node named = properties(builtIn.type(type));
      if (properties != null && named != null) {
        for (String field : List.copyOf(named.fields().keySet())) {
          Node leaf = EnumReferences.leaf(named.get(field));
          String reference = leaf == null ? null : ShapeReader.reference(leaf);
          Node values = reference == null ? null : builtIn.type(reference);
          if (values != null && ShapeReader.isEnumeration(values)) {
            EnumReferences.name(
                catalog,
                EnumReferences.leaf(properties.get(field)),
                String.valueOf(reference),
                values);
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
    Node leaf = EnumReferences.leaf(property);
    return leaf != null && ShapeReader.isEnumeration(leaf);
  }

  private static @Nullable Node properties(@Nullable Node type) {
    return type == null ? null : type.get("properties");
  }
}
