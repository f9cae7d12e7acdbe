package dev.clientgo.envtest.internal.kinds;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.json.Lookup;
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

/** Reading CustomResourceDefinitions: what they must be, what they begin with, what they define. */
public final class CustomResourceDefinition {

  /** Deletes the objects of a kind before its definition goes. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private CustomResourceDefinition() {}

  /** Returns a new definition with its defaults and without a state. */
  public static Unstructured create(Unstructured sent) {
    Unstructured object = withDefaults(sent);
    List<String> stored = new ArrayList<>();
    for (Map<String, Object> version : Lookup.objects(object, "spec", "versions")) {
      if (Boolean.TRUE.equals(version.get("storage"))) {
        stored.add(JsonTree.string(version, "name"));
      }
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("conditions", null);
    status.put("acceptedNames", Map.of("plural", "", "kind", ""));
    status.put("storedVersions", stored);
    return object.with(status, "status");
  }

  /** Returns a definition with its defaults. */
  public static Unstructured withDefaults(Unstructured sent) {
    Unstructured object = sent;
    String kind = Lookup.string(object, "spec", "names", "kind");
    if (Lookup.string(object, "spec", "names", "singular").isEmpty() && !kind.isEmpty()) {
      object = object.with(kind.toLowerCase(Locale.ROOT), "spec", "names", "singular");
    }
    if (Lookup.string(object, "spec", "names", "listKind").isEmpty() && !kind.isEmpty()) {
      object = object.with(kind + "List", "spec", "names", "listKind");
    }
    return Lookup.string(object, "spec", "conversion", "strategy").isEmpty()
        ? object.with("None", "spec", "conversion", "strategy")
        : object;
  }

  /** Returns what is wrong with a definition. */
  public static List<StatusCause> problems(Unstructured object) {
    List<StatusCause> problems = new ArrayList<>();
    String group = Lookup.string(object, "spec", "group");
    String plural = Lookup.string(object, "spec", "names", "plural");
    String scope = Lookup.string(object, "spec", "scope");
    String name = requireNonNullElse(object.metadata().name(), "");
    if (!name.equals(plural + "." + group)) {
      problems.add(
          ApiErrors.invalidValue(
              "metadata.name", '"' + name + '"', "must be spec.names.plural+\".\"+spec.group"));
    }
    if (group.isEmpty()) {
      problems.add(ApiErrors.requiredField("spec.group", ""));
    }
    if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
      problems.add(
          ApiErrors.unsupportedValue("spec.scope", '"' + scope + '"', "Cluster", "Namespaced"));
    }
    if (Lookup.string(object, "spec", "names", "kind").isEmpty()) {
      problems.add(ApiErrors.requiredField("spec.names.kind", ""));
    }
    checkVersions(Lookup.objects(object, "spec", "versions"), problems);
    return problems;
  }

  private static void checkVersions(
      List<Map<String, Object>> versions, List<StatusCause> problems) {
    long stored = versions.stream().filter(v -> Boolean.TRUE.equals(v.get("storage"))).count();
    if (stored != 1) {
      problems.add(
          ApiErrors.invalidValue(
              "spec.versions",
              "[" + versions.size() + " versions]",
              "must have exactly one version marked as storage version"));
    }
    for (int i = 0; i < versions.size(); i++) {
      if (!(JsonTree.get(versions.get(i), "schema", "openAPIV3Schema") instanceof Map)) {
        problems.add(
            ApiErrors.requiredField(
                "spec.versions[" + i + "].schema.openAPIV3Schema", "schemas are required"));
      }
    }
  }

  /** Returns the kind that a definition defines. */
  public static Resource resource(Unstructured object) {
    List<Version> versions = new ArrayList<>();
    for (Map<String, Object> version : Lookup.objects(object, "spec", "versions")) {
      versions.add(version(version));
    }
    return new Resource(
        Lookup.string(object, "spec", "group"),
        Lookup.string(object, "spec", "names", "plural"),
        Lookup.string(object, "spec", "names", "singular"),
        Lookup.string(object, "spec", "names", "kind"),
        Lookup.string(object, "spec", "names", "listKind"),
        Lookup.string(object, "spec", "scope").equals("Namespaced"),
        Lookup.strings(object, "spec", "names", "shortNames"),
        Lookup.strings(object, "spec", "names", "categories"),
        versions,
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

  /** The path of a field is a JSON path that has nothing but names. */
  private static List<String> path(String jsonPath) {
    return jsonPath.isEmpty() ? List.of() : List.of(jsonPath.substring(1).split("\\.", -1));
  }
}
