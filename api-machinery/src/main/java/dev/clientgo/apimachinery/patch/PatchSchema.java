package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a type for strategic merge patches: which lists to merge, and by which key. Without
 * a schema, a patch merges maps and replaces lists.
 *
 * <p>Implementations are immutable. Corresponds to apimachinery's {@code
 * strategicpatch.LookupPatchMeta}.
 */
@FunctionalInterface
public interface PatchSchema {

  /** The empty schema, at any depth. */
  PatchSchema UNKNOWN = field -> Rule.NONE;

  /** Returns the rule of a field. */
  Rule rule(String field);

  /** The ways to combine a field of the document with that of the patch. */
  enum Strategy {
    /** Merges lists: by key if they hold objects, otherwise as sets. */
    MERGE,
    /** Replaces maps. */
    REPLACE,
    /** Drops keys that the patch does not list in {@code $retainKeys}. */
    RETAIN_KEYS
  }

  /**
   * The rule by which one field is merged.
   *
   * @param strategies the ways to combine the field
   * @param mergeKey the field that identifies the objects of a list, if the field is such a list
   * @param schema the schema of the object, or of each object in the list or map
   */
  record Rule(Set<Strategy> strategies, @Nullable String mergeKey, PatchSchema schema) {

    /** The defaults. */
    public static final Rule NONE = new Rule(Set.of(), null, name -> Rule.none());

    public Rule {
      strategies = Set.copyOf(strategies);
      requireNonNull(schema, "schema");
    }

    private static Rule none() {
      return NONE;
    }

    boolean has(Strategy strategy) {
      return strategies.contains(strategy);
    }
  }

  /**
   * Reads the rules from an OpenAPI v3 document: {@code x-kubernetes-patch-strategy} and {@code
   * x-kubernetes-patch-merge-key}.
   *
   * @param document the document, as a tree of maps and lists
   * @param component the name of the type, such as {@code io.k8s.api.core.v1.Pod}
   * @throws PatchException if the document has no such type
   */
  static PatchSchema ofOpenApi(Map<String, ?> document, String component) {
    return new OpenApi(document).component(component);
  }

  /** Follows references lazily, since types may contain themselves. */
  record OpenApi(Map<String, ?> document) {

    private static final String REFERENCE = "#/components/schemas/";

    private PatchSchema component(String name) {
      Object schema = JsonPointer.of("components", "schemas", name).get(document).orElse(null);
      if (!(schema instanceof Map<?, ?> map)) {
        throw new PatchException("the OpenAPI document has no schema " + name);
      }
      return object(map);
    }

    private PatchSchema object(Map<?, ?> schema) {
      return field ->
          schema.get("properties") instanceof Map<?, ?> properties
                  && properties.get(field) instanceof Map<?, ?> property
              ? ruleOf(property)
              : Rule.NONE;
    }

    private Rule ruleOf(Map<?, ?> property) {
      Set<Strategy> strategies = EnumSet.noneOf(Strategy.class);
      if (property.get("x-kubernetes-patch-strategy") instanceof String list) {
        for (String name : list.split(",", -1)) {
          switch (name) {
            case "merge" -> strategies.add(Strategy.MERGE);
            case "replace" -> strategies.add(Strategy.REPLACE);
            case "retainKeys" -> strategies.add(Strategy.RETAIN_KEYS);
            default -> throw new PatchException("unknown patch strategy " + name);
          }
        }
      }
      Object key = property.get("x-kubernetes-patch-merge-key");
      return new Rule(strategies, key instanceof String text ? text : null, schemaOf(property));
    }

    private PatchSchema schemaOf(Map<?, ?> property) {
      if (property.get("items") instanceof Map<?, ?> items) {
        return schemaOf(items);
      }
      if (property.get("$ref") instanceof String reference && reference.startsWith(REFERENCE)) {
        String name = reference.substring(REFERENCE.length());
        return field -> component(name).rule(field);
      }
      if (property.get("allOf") instanceof List<?> all
          && all.size() == 1
          && all.get(0) instanceof Map<?, ?> only) {
        return schemaOf(only);
      }
      if (property.get("additionalProperties") instanceof Map<?, ?> values) {
        PatchSchema schema = schemaOf(values);
        return field -> new Rule(Set.of(), null, schema);
      }
      return object(property);
    }
  }
}
