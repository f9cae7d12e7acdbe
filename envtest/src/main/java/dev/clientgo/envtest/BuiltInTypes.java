package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of built-in kinds, from the schema file that the typed clients are generated from. It
 * is read when the first object is written.
 */
final class BuiltInTypes {

  private static final String FILE = "kubernetes-1.36.json";
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** What the file leaves out since api-machinery has it. */
  private static final String MACHINERY =
      """
      {
        "meta.v1.ObjectMeta": {"properties": {
          "annotations": {"additionalProperties": {}}, "creationTimestamp": {},
          "deletionGracePeriodSeconds": {}, "deletionTimestamp": {}, "finalizers": {},
          "generateName": {}, "generation": {}, "labels": {"additionalProperties": {}},
          "managedFields": {"items": {"$ref": "meta.v1.ManagedFieldsEntry"}}, "name": {},
          "namespace": {}, "ownerReferences": {"items": {"$ref": "meta.v1.OwnerReference"}},
          "resourceVersion": {}, "selfLink": {}, "uid": {}}},
        "meta.v1.ManagedFieldsEntry": {"properties": {
          "apiVersion": {}, "fieldsType": {}, "fieldsV1": {}, "manager": {}, "operation": {},
          "subresource": {}, "time": {}}},
        "meta.v1.OwnerReference": {"properties": {
          "apiVersion": {}, "blockOwnerDeletion": {}, "controller": {}, "kind": {}, "name": {},
          "uid": {}}},
        "meta.v1.Condition": {"properties": {
          "lastTransitionTime": {}, "message": {}, "observedGeneration": {}, "reason": {},
          "status": {}, "type": {}}},
        "meta.v1.LabelSelector": {"properties": {
          "matchExpressions": {"items": {"properties": {
            "key": {}, "operator": {}, "values": {}}}},
          "matchLabels": {"additionalProperties": {}}}}
      }
      """;

  private static final BuiltInTypes ALL = new BuiltInTypes();

  private final Map<String, Object> types = new HashMap<>();
  private final Map<String, KnownFields> kinds = new HashMap<>();

  private BuiltInTypes() {
    Map<String, Object> file = Tree.asObject(Json.parse(read()));
    types.putAll(Tree.object(file, "types"));
    types.putAll(Tree.asObject(Json.parse(MACHINERY.replace("meta.v1.", META).getBytes(UTF_8))));
    for (Map<String, Object> kind : Tree.objects(file, "resources")) {
      kinds.put(
          String.join(
              "/",
              Tree.string(kind, "group"),
              Tree.string(kind, "version"),
              Tree.string(kind, "kind")),
          type(Tree.string(kind, "type")));
    }
  }

  /** Returns the fields of a built-in kind. */
  static KnownFields fields(Served served) {
    String group = served.resource().group();
    String key = String.join("/", group, served.version().name(), served.kind());
    return requireNonNull(ALL.kinds.get(key), key);
  }

  /** Returns the fields of the metadata of all objects. */
  static KnownFields metadata() {
    return ALL.type(META + "ObjectMeta");
  }

  private static byte[] read() {
    try (InputStream in = BuiltInTypes.class.getResourceAsStream(FILE)) {
      return requireNonNull(in, FILE).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KnownFields type(String name) {
    return new Place(Tree.object(types, name));
  }

  private KnownFields place(Object schema) {
    Map<String, Object> place = Tree.asObject(schema);
    String reference = Tree.string(place, "$ref");
    return reference.isEmpty() ? new Place(place) : type(reference);
  }

  /** A place in an object, of which the schema file says this. */
  private final class Place implements KnownFields {
    private final Map<String, Object> schema;

    Place(Map<String, Object> schema) {
      this.schema = schema;
    }

    @Override
    public @Nullable KnownFields known(String name) {
      Object field = Tree.get(schema, "properties", name);
      Object known = field == null ? schema.get("additionalProperties") : field;
      return known == null ? null : place(known);
    }

    @Override
    public KnownFields items() {
      return place(Tree.object(schema, "items"));
    }

    @Override
    public boolean isOpaque() {
      return !schema.containsKey("properties")
          && !schema.containsKey("additionalProperties")
          && !schema.containsKey("items");
    }
  }
}
