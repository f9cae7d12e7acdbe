package dev.clientgo.envtest.internal.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of built-in kinds, from the schema file that the typed clients are generated from. The
 * file is read when the first object is written.
 */
public final class BuiltInSchemas {

  private static final String FILE = "kubernetes-1.37.json";
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** The types that the file omits because api-machinery has them. */
  private static final String MACHINERY =
      """
      {
        "meta.v1.ObjectMeta": {"type": "object", "properties": {
          "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
          "creationTimestamp": {"$ref": "meta.v1.Time"},
          "deletionGracePeriodSeconds": {"type": "integer", "format": "int64"},
          "deletionTimestamp": {"$ref": "meta.v1.Time"},
          "finalizers": {"type": "array", "items": {"type": "string"},
            "x-kubernetes-list-type": "set"},
          "generateName": {"type": "string"}, "generation": {"type": "integer", "format": "int64"},
          "labels": {"type": "object", "additionalProperties": {"type": "string"}},
          "managedFields": {"type": "array", "items": {"$ref": "meta.v1.ManagedFieldsEntry"},
            "x-kubernetes-list-type": "atomic"},
          "name": {"type": "string"}, "namespace": {"type": "string"},
          "ownerReferences": {"type": "array", "items": {"$ref": "meta.v1.OwnerReference"},
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"]},
          "resourceVersion": {"type": "string"}, "selfLink": {"type": "string"},
          "uid": {"type": "string"}}},
        "meta.v1.ManagedFieldsEntry": {"type": "object", "properties": {
          "apiVersion": {"type": "string"}, "fieldsType": {"type": "string"},
          "fieldsV1": {"type": "object"}, "manager": {"type": "string"},
          "operation": {"type": "string"}, "subresource": {"type": "string"},
          "time": {"$ref": "meta.v1.Time"}}},
        "meta.v1.OwnerReference": {"type": "object", "properties": {
          "apiVersion": {"type": "string"}, "blockOwnerDeletion": {"type": "boolean"},
          "controller": {"type": "boolean"}, "kind": {"type": "string"},
          "name": {"type": "string"}, "uid": {"type": "string"}},
          "required": ["apiVersion", "kind", "name", "uid"], "x-kubernetes-map-type": "atomic"},
        "meta.v1.Condition": {"type": "object", "properties": {
          "lastTransitionTime": {"$ref": "meta.v1.Time"}, "message": {"type": "string"},
          "observedGeneration": {"type": "integer", "format": "int64"},
          "reason": {"type": "string"}, "status": {"type": "string"}, "type": {"type": "string"}},
          "required": ["type", "status", "lastTransitionTime", "reason", "message"]},
        "meta.v1.LabelSelector": {"type": "object", "x-kubernetes-map-type": "atomic",
          "properties": {
            "matchExpressions": {"type": "array", "x-kubernetes-list-type": "atomic",
              "items": {"$ref": "meta.v1.LabelSelectorRequirement"}},
            "matchLabels": {"type": "object", "additionalProperties": {"type": "string"}}}},
        "meta.v1.LabelSelectorRequirement": {"type": "object", "properties": {
          "key": {"type": "string"}, "operator": {"type": "string"},
          "values": {"type": "array", "items": {"type": "string"},
            "x-kubernetes-list-type": "atomic"}},
          "required": ["key", "operator"]},
        "meta.v1.Time": {"type": "string", "format": "date-time"},
        "meta.v1.MicroTime": {"type": "string", "format": "date-time"},
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"format": "int-or-string",
          "oneOf": [{"type": "integer"}, {"type": "string"}]},
        "io.k8s.apimachinery.pkg.api.resource.Quantity":
          {"oneOf": [{"type": "string"}, {"type": "number"}]}
      }
      """;

  private static final BuiltInSchemas ALL = new BuiltInSchemas();

  private final Map<String, Object> types = new HashMap<>();
  private final Map<String, String> kinds = new HashMap<>();

  private BuiltInSchemas() {
    Map<String, Object> file = JsonTree.asObject(JsonText.parse(read()));
    types.putAll(JsonTree.object(file, "types"));
    types.putAll(
        JsonTree.asObject(JsonText.parse(MACHINERY.replace("meta.v1.", META).getBytes(UTF_8))));
    for (Map<String, Object> kind : JsonTree.objects(file, "resources")) {
      kinds.put(
          String.join(
              "/",
              JsonTree.string(kind, "group"),
              JsonTree.string(kind, "version"),
              JsonTree.string(kind, "kind")),
          JsonTree.string(kind, "type"));
    }
  }

  /** Returns the fields of a built-in kind. */
  public static KnownFields fields(String group, String version, String kind) {
    return ALL.type(typeName(group, version, kind));
  }

  /** Returns the name of the type of a built-in kind, as OpenAPI documents have it. */
  public static String typeName(String group, String version, String kind) {
    String key = String.join("/", group, version, kind);
    return requireNonNull(ALL.kinds.get(key), key);
  }

  /** Returns the schema of a type, with names of types as references; empty if it is not known. */
  public static Map<String, Object> schema(String type) {
    return JsonTree.object(ALL.types, type);
  }

  /** Returns the fields of {@code metadata}. */
  public static KnownFields metadata() {
    return ALL.type(META + "ObjectMeta");
  }

  private static byte[] read() {
    try (InputStream in = BuiltInSchemas.class.getResourceAsStream(FILE)) {
      return requireNonNull(in, FILE).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KnownFields type(String name) {
    return new Place(JsonTree.object(types, name));
  }

  private KnownFields place(Object schema) {
    Map<String, Object> place = JsonTree.asObject(schema);
    String reference = JsonTree.string(place, "$ref");
    return reference.isEmpty() ? new Place(place) : type(reference);
  }

  /** A place in an object, with its part of the schema file. */
  private final class Place implements KnownFields {
    private final Map<String, Object> schema;

    Place(Map<String, Object> schema) {
      this.schema = schema;
    }

    @Override
    public @Nullable KnownFields known(String name) {
      Object field = JsonTree.get(schema, "properties", name);
      Object known = field == null ? schema.get("additionalProperties") : field;
      return known == null ? null : place(known);
    }

    @Override
    public KnownFields items() {
      return place(JsonTree.object(schema, "items"));
    }

    @Override
    public boolean isOpaque() {
      return !schema.containsKey("properties")
          && !schema.containsKey("additionalProperties")
          && !schema.containsKey("items");
    }
  }
}
