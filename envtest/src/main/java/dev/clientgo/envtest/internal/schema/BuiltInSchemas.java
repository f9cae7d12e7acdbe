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

  private static final String FILE = "kubernetes-1.36.json";
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** The types that the file omits because api-machinery has them. */
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

  private static final BuiltInSchemas ALL = new BuiltInSchemas();

  private final Map<String, Object> types = new HashMap<>();
  private final Map<String, KnownFields> kinds = new HashMap<>();

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
          type(JsonTree.string(kind, "type")));
    }
  }

  /** Returns the fields of a built-in kind. */
  public static KnownFields fields(String group, String version, String kind) {
    String key = String.join("/", group, version, kind);
    return requireNonNull(ALL.kinds.get(key), key);
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
