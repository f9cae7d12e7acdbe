package dev.clientgo.envtest.internal.kinds;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.cel.ValidationRules;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource.ScalePaths;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.schema.StructuralSchema;
import dev.clientgo.envtest.internal.tables.CustomColumns;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads and validates CustomResourceDefinitions, and sets their defaults. */
public final class CustomResourceDefinition {

  /** The finalizer under which the objects of a kind are deleted before its definition. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");

  private CustomResourceDefinition() {}

  /** Returns a new definition with its defaults and an empty status. */
  public static Unstructured create(Unstructured sent) {
    Unstructured object = withDefaults(sent);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("conditions", null);
    status.put("acceptedNames", Map.of("plural", "", "kind", ""));
    status.put("storedVersions", List.of());
    return DefinitionVersions.withStoredVersion(object.with(status, "status"));
  }

  /** Returns a replaced definition with its defaults and all versions that were ever stored. */
  public static Unstructured update(Unstructured sent) {
    return DefinitionVersions.withStoredVersion(withDefaults(sent));
  }

  /** Returns a definition with its defaults. */
  private static Unstructured withDefaults(Unstructured sent) {
    Unstructured object = sent;
    String kind = JsonTree.string(object.content(), "spec", "names", "kind");
    if (JsonTree.string(object.content(), "spec", "names", "singular").isEmpty()
        && !kind.isEmpty()) {
      object = object.with(kind.toLowerCase(Locale.ROOT), "spec", "names", "singular");
    }
    if (JsonTree.string(object.content(), "spec", "names", "listKind").isEmpty()
        && !kind.isEmpty()) {
      object = object.with(kind + "List", "spec", "names", "listKind");
    }
    return JsonTree.string(object.content(), "spec", "conversion", "strategy").isEmpty()
        ? object.with("None", "spec", "conversion", "strategy")
        : object;
  }

  /** Returns the errors of a definition. */
  public static List<StatusCause> problems(Unstructured object) {
    List<StatusCause> problems = new ArrayList<>();
    String group = JsonTree.string(object.content(), "spec", "group");
    String plural = JsonTree.string(object.content(), "spec", "names", "plural");
    String scope = JsonTree.string(object.content(), "spec", "scope");
    String name = requireNonNullElse(object.metadata().name(), "");
    if (!name.equals(plural + "." + group)) {
      problems.add(
          FieldErrors.invalid(
              "metadata.name", '"' + name + '"', "must be spec.names.plural+\".\"+spec.group"));
    }
    if (group.isEmpty()) {
      problems.add(FieldErrors.required("spec.group", ""));
    }
    if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
      problems.add(
          FieldErrors.notSupported("spec.scope", '"' + scope + '"', "Cluster", "Namespaced"));
    }
    if (JsonTree.string(object.content(), "spec", "names", "kind").isEmpty()) {
      problems.add(FieldErrors.required("spec.names.kind", ""));
    }
    checkVersions(JsonTree.objects(object.content(), "spec", "versions"), problems);
    problems.addAll(DefinitionVersions.problems(object.content()));
    return problems;
  }

  private static void checkVersions(
      List<Map<String, Object>> versions, List<StatusCause> problems) {
    long stored = versions.stream().filter(v -> Boolean.TRUE.equals(v.get("storage"))).count();
    if (stored != 1) {
      problems.add(
          FieldErrors.invalid(
              "spec.versions",
              "[" + versions.size() + " versions]",
              "must have exactly one version marked as storage version"));
    }
    for (int i = 0; i < versions.size(); i++) {
      String path = "spec.versions[" + i + "].schema.openAPIV3Schema";
      if (!(JsonTree.get(versions.get(i), "schema", "openAPIV3Schema") instanceof Map)) {
        problems.add(FieldErrors.required(path, "schemas are required"));
      }
      Map<String, Object> schema = JsonTree.object(versions.get(i), "schema", "openAPIV3Schema");
      String common = versions.size() == 1 ? "spec.validation.openAPIV3Schema" : path;
      checkTypes(common, schema, problems);
      ValidationRules.of(common, schema, problems);
    }
  }

  private static void checkTypes(
      String path, Map<String, Object> schema, List<StatusCause> problems) {
    String type = JsonTree.string(schema, "type");
    if (!type.isEmpty() && !TYPES.contains(type)) {
      String found = '"' + type + '"';
      problems.add(FieldErrors.notSupported(path + ".type", found, TYPES.toArray(String[]::new)));
    }
    StructuralSchema.of(schema).checkDefault(path, problems);
    JsonTree.object(schema, "properties")
        .forEach(
            (name, property) ->
                checkTypes(
                    path + ".properties[" + name + "]", JsonTree.asObject(property), problems));
    for (String inner : List.of("items", "additionalProperties")) {
      if (schema.get(inner) instanceof Map) {
        checkTypes(path + "." + inner, JsonTree.object(schema, inner), problems);
      }
    }
  }

  /** Returns the kind that a definition defines. */
  public static Resource resource(Unstructured object) {
    List<Version> versions = new ArrayList<>();
    for (Map<String, Object> version : JsonTree.objects(object.content(), "spec", "versions")) {
      versions.add(version(version));
    }
    return new Resource(
        JsonTree.string(object.content(), "spec", "group"),
        JsonTree.string(object.content(), "spec", "names", "plural"),
        JsonTree.string(object.content(), "spec", "names", "singular"),
        JsonTree.string(object.content(), "spec", "names", "kind"),
        JsonTree.string(object.content(), "spec", "names", "listKind"),
        JsonTree.string(object.content(), "spec", "scope").equals("Namespaced"),
        JsonTree.strings(object.content(), "spec", "names", "shortNames"),
        JsonTree.strings(object.content(), "spec", "names", "categories"),
        versions,
        DefinitionVersions.storage(object.content()),
        EnumSet.of(Trait.CUSTOM, Trait.GENERATION, Trait.VERSION_REQUIRED));
  }

  private static Version version(Map<String, Object> version) {
    Set<String> subresources = new TreeSet<>();
    if (JsonTree.get(version, "subresources", "status") instanceof Map) {
      subresources.add("status");
    }
    ScalePaths scale = scale(JsonTree.object(version, "subresources", "scale"));
    if (scale != null) {
      subresources.add("scale");
    }
    Map<String, String> selectable = new LinkedHashMap<>();
    for (Map<String, Object> field : JsonTree.objects(version, "selectableFields")) {
      String path = JsonTree.string(field, "jsonPath");
      selectable.put(path.startsWith(".") ? path.substring(1) : path, "");
    }
    return new Version(
        JsonTree.string(version, "name"),
        Boolean.TRUE.equals(version.get("served")),
        subresources,
        selectable,
        StructuralSchema.of(JsonTree.object(version, "schema", "openAPIV3Schema")),
        scale,
        CustomColumns.of(JsonTree.objects(version, "additionalPrinterColumns")));
  }

  private static @Nullable ScalePaths scale(Map<String, Object> scale) {
    return scale.isEmpty()
        ? null
        : new ScalePaths(
            path(JsonTree.string(scale, "specReplicasPath")),
            path(JsonTree.string(scale, "statusReplicasPath")),
            path(JsonTree.string(scale, "labelSelectorPath")));
  }

  /** Splits the JSON path of a field, which only consists of names. */
  private static List<String> path(String jsonPath) {
    return jsonPath.isEmpty() ? List.of() : List.of(jsonPath.substring(1).split("\\.", -1));
  }
}
