package dev.clientgo.crd;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads the names of a kind and one of its versions from a record. */
final class KindReader {

  /** Components that each kind has, whose schemas are the server's. */
  private static final List<String> COMMON = List.of("apiVersion", "kind", "metadata");

  private KindReader() {}

  /**
   * One version of a kind.
   *
   * @param kind group, version and kind
   * @param plural the plural
   * @param scope the scope
   * @param names {@code spec.names} of the definition
   * @param storage whether the annotation says that this version is stored
   * @param version the version in the definition, without {@code storage}
   */
  record KindVersion(
      Class<?> type,
      GroupVersionKind kind,
      String plural,
      CustomResource.Scope scope,
      Map<String, Object> names,
      boolean storage,
      Map<String, Object> version) {}

  /** Has the annotation with the defaults of all attributes, for a record with a TYPE alone. */
  @CustomResource
  private static final class Defaults {}

  static KindVersion read(Class<?> type) {
    Place place = new Place(type, "");
    CustomResource annotation = type.getAnnotation(CustomResource.class);
    Object constant = JsonNames.constant(type, "TYPE", place);
    if (annotation == null && !(constant instanceof ResourceType)) {
      throw place.problem("it has neither @CustomResource nor a constant TYPE, a ResourceType");
    } else if (!type.isRecord()) {
      throw place.problem("it must be a record");
    }
    CustomResource marker =
        annotation == null ? Defaults.class.getAnnotation(CustomResource.class) : annotation;
    GroupVersionKind kind;
    String plural;
    CustomResource.Scope scope;
    if (constant instanceof ResourceType<?> known) {
      kind = known.kind();
      plural = known.resource().resource();
      scope = known.isNamespaced() ? CustomResource.Scope.NAMESPACED : CustomResource.Scope.CLUSTER;
      requireSame(marker, kind, plural, place);
    } else {
      kind = kind(type, marker, place);
      plural = marker.plural().isEmpty() ? plural(kind.kind()) : marker.plural();
      scope = marker.scope();
    }
    return new KindVersion(
        type,
        kind,
        plural,
        scope,
        names(marker, kind.kind(), plural),
        marker.storage(),
        version(type, marker, kind.version(), place));
  }

  private static GroupVersionKind kind(Class<?> type, CustomResource marker, Place place) {
    if (!marker.group().contains(".") || marker.version().isEmpty()) {
      throw place.problem(
          "@CustomResource needs a version, and a group that is a domain, such as example.com");
    }
    String kind = marker.kind().isEmpty() ? type.getSimpleName() : marker.kind();
    return new GroupVersionKind(marker.group(), marker.version(), kind);
  }

  /** The client would ask for another resource than the definition has. */
  private static void requireSame(
      CustomResource marker, GroupVersionKind kind, String plural, Place place) {
    boolean differs =
        !agrees(marker.group(), kind.group())
            || !agrees(marker.version(), kind.version())
            || !agrees(marker.kind(), kind.kind())
            || !agrees(marker.plural(), plural);
    if (differs) {
      throw place.problem(
          "@CustomResource does not name the resource of TYPE, %s %s; leave the names out there"
              .formatted(kind, plural));
    }
  }

  private static boolean agrees(String ofAnnotation, String ofType) {
    return ofAnnotation.isEmpty() || ofAnnotation.equals(ofType);
  }

  private static Map<String, Object> names(CustomResource marker, String kind, String plural) {
    Map<String, Object> names = new TreeMap<>();
    names.put("kind", kind);
    names.put("listKind", kind + "List");
    names.put("plural", plural);
    names.put(
        "singular",
        marker.singular().isEmpty() ? kind.toLowerCase(Locale.ROOT) : marker.singular());
    if (marker.shortNames().length > 0) {
      names.put("shortNames", List.of(marker.shortNames()));
    }
    if (marker.categories().length > 0) {
      names.put("categories", List.of(marker.categories()));
    }
    return names;
  }

  /** The plural of an English noun, for the kinds that follow the rules. */
  private static String plural(String kind) {
    String singular = kind.toLowerCase(Locale.ROOT);
    if (singular.matches(".*(s|x|z|ch|sh)")) {
      return singular + "es";
    } else if (singular.matches(".*[^aeiou]y")) {
      return singular.substring(0, singular.length() - 1) + "ies";
    }
    return singular + "s";
  }

  private static Map<String, Object> version(
      Class<?> type, CustomResource marker, String name, Place place) {
    ColumnReader columns = new ColumnReader();
    Map<String, Object> schema = new SchemaReader(columns::read).record(type, place);
    Map<String, Object> properties = new TreeMap<>(Markers.child(schema, "properties"));
    properties.put("apiVersion", Map.of("type", "string"));
    properties.put("kind", Map.of("type", "string"));
    properties.put("metadata", Map.of("type", "object"));
    schema.put("properties", properties);
    List<Object> required = new ArrayList<>();
    if (schema.remove("required") instanceof List<?> before) {
      required.addAll(before);
      required.removeAll(COMMON);
      required.remove("status"); // A client creates the object, a controller adds the status.
    }
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    SchemaPaths paths = new SchemaPaths(schema, place);
    columns.read(type, paths, place);
    Map<String, Object> version = new TreeMap<>();
    version.put("name", name);
    version.put("served", marker.served());
    version.put("schema", Map.of("openAPIV3Schema", schema));
    if (!columns.columns().isEmpty()) {
      version.put("additionalPrinterColumns", columns.columns());
    }
    if (marker.deprecated() || !marker.deprecationWarning().isEmpty()) {
      version.put("deprecated", true);
    }
    if (!marker.deprecationWarning().isEmpty()) {
      version.put("deprecationWarning", marker.deprecationWarning());
    }
    if (marker.selectableFields().length > 0) {
      version.put("selectableFields", selectableFields(marker, paths));
    }
    Map<String, Object> subresources = subresources(type, marker, paths);
    if (!subresources.isEmpty()) {
      version.put("subresources", subresources);
    }
    return version;
  }

  private static List<Object> selectableFields(CustomResource marker, SchemaPaths paths) {
    List<Object> fields = new ArrayList<>();
    for (String path : marker.selectableFields()) {
      paths.check(path, "a selectable field");
      fields.add(Map.of("jsonPath", path));
    }
    return fields;
  }

  private static Map<String, Object> subresources(
      Class<?> type, CustomResource marker, SchemaPaths paths) {
    Map<String, Object> subresources = new TreeMap<>();
    if (marker.statusSubresource()
        && Markers.child(paths.schema(), "properties").containsKey("status")) {
      subresources.put("status", Map.of());
    }
    ScaleSubresource scale = type.getAnnotation(ScaleSubresource.class);
    if (scale != null) {
      Map<String, Object> of = new TreeMap<>();
      String spec = scale.specReplicasPath();
      String status = scale.statusReplicasPath();
      String selector = scale.labelSelectorPath();
      paths.check(spec, "specReplicasPath", ".spec", "integer");
      paths.check(status, "statusReplicasPath", ".status", "integer");
      of.put("specReplicasPath", spec);
      of.put("statusReplicasPath", status);
      if (!selector.isEmpty()) {
        String below = selector.startsWith(".spec.") ? ".spec" : ".status";
        paths.check(selector, "labelSelectorPath", below, "string");
        of.put("labelSelectorPath", selector);
      }
      subresources.put("scale", of);
    }
    return subresources;
  }
}
