package dev.clientgo.crd;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.crd.CrdFinding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds what new definitions of custom resources break: objects that the server has stored, or
 * clients.
 *
 * <pre>{@code
 * List<CrdFinding> findings = CrdDiff.between(released, CustomResourceDefinitions.of(Website.class));
 * assertThat(findings).noneMatch(CrdFinding::isBreaking);
 * }</pre>
 *
 * <p>It reads definitions only, no objects. So a constraint that is narrower counts as one that
 * breaks stored objects, even if no object has a value outside of it, and so does a new rule in
 * CEL. Nothing found means that each object that was valid is still valid.
 */
public final class CrdDiff {

  private final Unstructured old;
  private final Unstructured now;
  private final String name;
  private final List<CrdFinding> findings = new ArrayList<>();

  private CrdDiff(Unstructured old, Unstructured now) {
    this.old = old;
    this.now = now;
    this.name = name(old);
  }

  private static String name(Unstructured definition) {
    return Objects.requireNonNullElse(definition.metadata().name(), "");
  }

  /**
   * Compares the definitions of two releases by their names.
   *
   * @return the findings by definition, the worst first
   */
  public static List<CrdFinding> between(List<Unstructured> old, List<Unstructured> now) {
    Map<String, Unstructured> after =
        now.stream().collect(Collectors.toMap(CrdDiff::name, each -> each, (a, b) -> b));
    List<CrdFinding> findings = new ArrayList<>();
    old.stream()
        .sorted(Comparator.comparing(CrdDiff::name))
        .forEach(
            each -> {
              Unstructured next = after.get(name(each));
              if (next == null) {
                findings.add(
                    new CrdFinding(
                        Severity.STORED_OBJECTS,
                        name(each),
                        "metadata.name",
                        "the definition is gone",
                        "its deletion deletes all objects; keep it until there are none"));
              } else {
                findings.addAll(between(each, next));
              }
            });
    return findings;
  }

  /** Compares two definitions of one resource. */
  public static List<CrdFinding> between(Unstructured old, Unstructured now) {
    CrdDiff diff = new CrdDiff(old, now);
    diff.names();
    diff.versions();
    diff.conversion();
    diff.findings.sort(Comparator.comparing(CrdFinding::severity));
    return List.copyOf(diff.findings);
  }

  private void add(Severity severity, String path, String change, String advice) {
    findings.add(new CrdFinding(severity, name, path, change, advice));
  }

  private void names() {
    for (String field : List.of("group", "scope", "names.plural", "names.kind")) {
      changed(
          Severity.STORED_OBJECTS,
          field,
          "objects cannot move to another resource; make a new definition beside this one");
    }
    if (old.nested("spec", "preserveUnknownFields").orElse(false).equals(true)
        && !now.nested("spec", "preserveUnknownFields").orElse(false).equals(true)) {
      add(
          Severity.STORED_OBJECTS,
          "spec.preserveUnknownFields",
          "unknown fields are not kept any more",
          SchemaDiff.KEEP);
    }
    changed(Severity.CLIENTS, "names.listKind", "clients that read lists check it; keep it");
    changed(Severity.WARNING, "names.singular", "kubectl does not know the old name any more");
    for (String field : List.of("shortNames", "categories")) {
      Set<String> gone =
          new TreeSet<>(old.nestedStringList("spec", "names", field).orElse(List.of()));
      gone.removeAll(now.nestedStringList("spec", "names", field).orElse(List.of()));
      if (!gone.isEmpty()) {
        add(
            Severity.WARNING,
            "spec.names." + field,
            gone + " are gone",
            "scripts that use them fail");
      }
    }
  }

  private void changed(Severity severity, String field, String advice) {
    String[] path = ("spec." + field).split("\\.", -1);
    Object before = old.nested(path).orElse("");
    Object after = now.nested(path).orElse("");
    boolean isDefault = before.equals("") || after.equals(""); // The server fills names in.
    if (!before.equals(after) && !isDefault) {
      add(severity, "spec." + field, "changed from " + before + " to " + after, advice);
    }
  }

  private void versions() {
    Map<String, Map<String, Object>> after = versions(now);
    versions(old)
        .forEach(
            (version, before) -> {
              Map<String, Object> next = after.get(version);
              if (next == null) {
                removed(version, before);
              } else {
                version(version, before, next);
              }
            });
  }

  private void removed(String version, Map<String, Object> before) {
    if (isStored(version, before)) {
      add(
          Severity.STORED_OBJECTS,
          version,
          "the version is gone, and objects are stored in it",
          "store another version, migrate the objects, and remove this one from"
              + " status.storedVersions first");
    } else if (isTrue(before, "served")) {
      add(
          Severity.CLIENTS,
          version,
          "the version is gone",
          "deprecate it, stop serving it in a later release, then remove it");
    }
  }

  private boolean isStored(String version, Map<String, Object> before) {
    return isTrue(before, "storage")
        || old.nestedStringList("status", "storedVersions").orElse(List.of()).contains(version);
  }

  private void version(String version, Map<String, Object> before, Map<String, Object> after) {
    if (isTrue(before, "served") && !isTrue(after, "served")) {
      add(Severity.CLIENTS, version, "the version is not served any more", "deprecate it first");
    }
    if (isTrue(after, "deprecated") && !isTrue(before, "deprecated")) {
      add(Severity.WARNING, version, "the version is deprecated", "move clients to another one");
    }
    if (isTrue(after, "storage") && !isTrue(before, "storage")) {
      add(
          Severity.WARNING,
          version,
          "new objects are stored in this version",
          "old ones stay in the old version until they are written; migrate them before it goes");
    }
    subresources(version, Markers.child(before, "subresources"), after);
    Set<Object> selectable = new HashSet<>(list(before, "selectableFields"));
    selectable.removeAll(list(after, "selectableFields"));
    if (!selectable.isEmpty()) {
      add(
          Severity.CLIENTS,
          version + " selectableFields",
          selectable + " are gone",
          "requests with such a field selector fail; keep them");
    }
    boolean stored = isStored(version, before) || !isWebhook(old);
    new SchemaDiff(
            stored ? Severity.STORED_OBJECTS : Severity.CLIENTS,
            (severity, path, change, advice) ->
                add(severity, version + " " + (path.isEmpty() ? "." : path), change, advice))
        .compare(schema(before), schema(after), "");
  }

  private void subresources(
      String version, Map<String, Object> before, Map<String, Object> nextVersion) {
    Map<String, Object> after = Markers.child(nextVersion, "subresources");
    if (before.containsKey("status") != after.containsKey("status")) {
      add(
          Severity.CLIENTS,
          version + " subresources.status",
          before.containsKey("status") ? "the subresource is gone" : "the subresource is new",
          before.containsKey("status")
              ? "writes to its path fail"
              : "writes of the object drop the status; write it by the subresource");
    }
    if (before.containsKey("scale") && !before.get("scale").equals(after.get("scale"))) {
      add(
          Severity.CLIENTS,
          version + " subresources.scale",
          after.containsKey("scale") ? "its paths have changed" : "the subresource is gone",
          "kubectl scale and autoscalers fail or read other fields");
    }
  }

  /** Without a webhook, the server changes the apiVersion only, and cuts what a version lacks. */
  private void conversion() {
    Map<String, Map<String, Object>> after = versions(now);
    after.forEach(
        (version, schema) -> {
          Map<String, Object> stored =
              after.values().stream()
                  .filter(each -> isTrue(each, "storage"))
                  .findFirst()
                  .orElse(schema);
          if (isWebhook(now) || !isTrue(schema, "served")) {
            return;
          } else if (properties(stored).equals(properties(schema))) {
            storedInOtherVersions(version, schema);
          } else if (!wasSo(version, stored, schema)) {
            add(
                Severity.STORED_OBJECTS,
                version,
                "its fields differ from those of the stored version "
                    + stored.get("name")
                    + ", and there is no conversion",
                "a write in one version loses the fields of the other; add a conversion webhook");
          }
        });
  }

  /** Compares a version with those of the stored objects that the server did not serve in it. */
  private void storedInOtherVersions(String version, Map<String, Object> schema) {
    Map<String, Map<String, Object>> before = versions(old);
    if (!isWebhook(old) && isTrue(before.getOrDefault(version, Map.of()), "served")) {
      return;
    }
    before.remove(version);
    before.forEach(
        (other, stored) -> {
          if (isStored(other, stored)) {
            String of = version + " (of objects stored in " + other + ") ";
            new SchemaDiff(
                    Severity.STORED_OBJECTS,
                    (severity, path, change, advice) -> {
                      if (severity != Severity.WARNING) {
                        add(severity, of + path, change, advice);
                      }
                    })
                .compare(schema(stored), schema(schema), "");
          }
        });
  }

  /** Returns whether the old definition had the same two versions, without a conversion either. */
  private boolean wasSo(String version, Map<String, Object> stored, Map<String, Object> schema) {
    Map<String, Map<String, Object>> before = versions(old);
    Map<String, Object> storedBefore = before.getOrDefault(stored.get("name"), Map.of());
    return !isWebhook(old)
        && isTrue(storedBefore, "storage")
        && properties(storedBefore).equals(properties(stored))
        && properties(before.getOrDefault(version, Map.of())).equals(properties(schema));
  }

  private static boolean isWebhook(Unstructured definition) {
    return definition
        .nestedString("spec", "conversion", "strategy")
        .orElse("None")
        .equals("Webhook");
  }

  /** Returns the paths of all fields. */
  private static Set<String> properties(Map<String, Object> version) {
    Set<String> paths = new TreeSet<>();
    addProperties(schema(version), "", paths);
    return paths;
  }

  private static void addProperties(Map<String, Object> schema, String path, Set<String> paths) {
    Map<String, Object> properties = Markers.child(schema, "properties");
    for (String name : properties.keySet()) {
      paths.add(path + "." + name);
      addProperties(Markers.child(properties, name), path + "." + name, paths);
    }
    for (String keyword : List.of("items", "additionalProperties")) {
      Map<String, Object> elements = Markers.child(schema, keyword);
      if (!elements.isEmpty()) {
        addProperties(elements, path + "[]", paths);
      }
    }
  }

  static Map<String, Object> schema(Map<String, Object> version) {
    return Markers.child(Markers.child(version, "schema"), "openAPIV3Schema");
  }

  static Map<String, Map<String, Object>> versions(Unstructured definition) {
    Map<String, Map<String, Object>> versions = new TreeMap<>();
    for (Object each : definition.nestedList("spec", "versions").orElse(List.of())) {
      Map<String, Object> version = new LinkedHashMap<>();
      if (each instanceof Map<?, ?> map) {
        map.forEach((key, value) -> version.put((String) key, value));
      }
      versions.put(String.valueOf(version.get("name")), version);
    }
    return versions;
  }

  private static List<?> list(Map<String, Object> version, String name) {
    return version.get(name) instanceof List<?> list ? list : List.of();
  }

  private static boolean isTrue(Map<String, Object> map, String name) {
    return Boolean.TRUE.equals(map.get(name));
  }
}
