package dev.clientgo.envtest.internal.discovery;

import dev.clientgo.envtest.internal.http.AcceptClause;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.process.ServerBinaries;
import dev.clientgo.envtest.internal.schema.BuiltInSchemas;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * OpenAPI v3: an index, and a document for each group and version. A document is made when a client
 * asks for it or for the index. It has no descriptions of built-in kinds. Safe for use by many
 * threads.
 *
 * <p>OpenAPI v2 is a document without kinds. kubectl asks for it about kinds that are not served.
 */
final class OpenApiDocuments {

  private static final String V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  /** A {@code Document} in protobuf, with its version. */
  private static final byte[] NO_V2 = {0x0a, 3, '2', '.', '0', 0x12, 0};

  private static final String JSON = "application/json";
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  private static final String KINDS = "x-kubernetes-group-version-kind";
  private static final String LIST_TYPE = "x-kubernetes-list-type";
  private static final String STRATEGY = "x-kubernetes-patch-strategy";

  /** What the schema file has for the generator of the typed clients. */
  private static final Set<String> OF_GENERATOR = Set.of("protobuf", "omitempty");

  /** The documents of groups of built-in kinds, which are the same on all servers. */
  private static final Map<String, byte[]> BUILT_IN = new ConcurrentHashMap<>();

  private final DiscoveryDocuments discovery;

  OpenApiDocuments(DiscoveryDocuments discovery) {
    this.discovery = discovery;
  }

  /** Answers a request for the index, {@code openapi/v3}, or a document below it; or null. */
  @Nullable Response answer(ApiRequest request, List<String> path) {
    if (path.equals(List.of("openapi", "v2"))) {
      return Response.of(200, V2, new Response.Bytes(List.of(NO_V2)));
    }
    if (path.size() < 2 || !path.get(1).equals("v3")) {
      return null;
    }
    if (AcceptClause.of(request).stream().noneMatch(AcceptClause::isJson)) {
      return Response.text(406, "the embedded server has OpenAPI v3 as application/json only\n");
    }
    if (path.size() == 2) {
      return AggregatedDiscovery.tagged(request, JSON, JsonText.write(index()));
    }
    boolean core = path.get(2).equals("api") && path.size() == 4;
    if (!core && !(path.get(2).equals("apis") && path.size() == 5)) {
      return null;
    }
    byte[] text = text(core ? "" : path.get(3), path.get(path.size() - 1));
    return text == null ? null : AggregatedDiscovery.tagged(request, JSON, text);
  }

  private Map<String, Object> index() {
    Map<String, Object> paths = new TreeMap<>();
    discovery
        .versionsByGroup()
        .forEach(
            (group, versions) -> {
              for (String version : versions) {
                byte[] text = text(group, version);
                if (text != null) {
                  String path = root(group, version);
                  String hash = AggregatedDiscovery.hash(text);
                  String url = "/openapi/v3/" + path + "?hash=" + hash;
                  paths.put(path, Map.of("serverRelativeURL", url));
                }
              }
            });
    return Map.of("paths", paths);
  }

  private static String root(String group, String version) {
    return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
  }

  private byte @Nullable [] text(String group, String version) {
    List<Resource> resources = discovery.resources(group, version);
    if (resources.isEmpty()) {
      return null;
    }
    return resources.stream().anyMatch(Resource::isCustom)
        ? new Document(version).write(resources)
        : BUILT_IN.computeIfAbsent(
            root(group, version), path -> new Document(version).write(resources));
  }

  /** One document; used by one thread. */
  private static final class Document {
    private final String version;
    private final Map<String, Object> paths = new LinkedHashMap<>();
    private final Map<String, Object> schemas = new TreeMap<>();

    Document(String version) {
      this.version = version;
    }

    byte[] write(List<Resource> resources) {
      resources.forEach(this::add);
      return JsonText.write(
          JsonTree.builder()
              .put("openapi", "3.0.0")
              .put("info", Map.of("title", "Kubernetes", "version", "v" + ServerBinaries.VERSION))
              .put("paths", paths)
              .put("components", Map.of("schemas", schemas))
              .build());
    }

    private void add(Resource resource) {
      Map<String, Object> kind =
          JsonTree.of("group", resource.group(), "version", version, "kind", resource.kind());
      Map<String, Object> schema;
      if (resource.isCustom()) {
        List<String> names = new ArrayList<>(List.of(resource.group().split("\\.", -1)));
        Collections.reverse(names);
        String name = String.join(".", names) + "." + version + "." + resource.kind();
        schemas.put(name, custom(resource.version(version).orElseThrow(), kind));
        schema = Map.of("$ref", SCHEMAS + name);
      } else {
        schema = reference(BuiltInSchemas.typeName(resource.group(), version, resource.kind()));
      }
      String all =
          "/"
              + root(resource.group(), version)
              + (resource.namespaced() ? "/namespaces/{namespace}/" : "/")
              + resource.plural();
      List<String> verbs = resource.verbs();
      paths.put(all, JsonTree.of("post", operation("post", kind, schema)));
      if (verbs.contains("get")) {
        paths.put(
            all + "/{name}",
            JsonTree.of(
                "get", operation("get", kind, schema),
                "put", operation("put", kind, schema),
                "patch", operation("patch", kind, schema),
                "delete", operation("delete", kind, schema)));
      }
    }

    /** From the parameters kubectl learns that the server finds unknown fields. */
    private static Map<String, Object> operation(
        String action, Map<String, Object> kind, Map<String, Object> schema) {
      List<String> parameters =
          switch (action) {
            case "get" -> List.of();
            case "delete" -> List.of("dryRun", "propagationPolicy");
            default -> List.of("dryRun", "fieldManager", "fieldValidation");
          };
      Map<String, Object> content = Map.of(JSON, Map.of("schema", schema));
      return JsonTree.of(
          "parameters",
          parameters.stream()
              .map(name -> JsonTree.of("name", name, "in", "query", "schema", type("string")))
              .toList(),
          "responses",
          Map.of("200", Map.of("description", "OK", "content", content)),
          "x-kubernetes-action",
          action,
          KINDS,
          kind);
    }

    private static Map<String, Object> type(String type) {
      return Map.of("type", type);
    }

    private Map<String, Object> custom(Version version, Map<String, Object> kind) {
      Map<String, Object> schema = new LinkedHashMap<>(version.schema().raw());
      Map<String, Object> properties = new TreeMap<>(JsonTree.object(schema, "properties"));
      properties.put("apiVersion", type("string"));
      properties.put("kind", type("string"));
      properties.put("metadata", reference(OBJECT_META));
      schema.put("properties", properties);
      schema.put(KINDS, List.of(kind));
      return schema;
    }

    /** Returns a reference to a type, which it adds to the document, or an enumeration itself. */
    private Map<String, Object> reference(String name) {
      if (BuiltInSchemas.schema(name).containsKey("enum")) {
        return BuiltInSchemas.schema(name);
      }
      if (!schemas.containsKey(name)) {
        schemas.put(name, Map.of()); // Types refer to themselves.
        schemas.put(name, schema(BuiltInSchemas.schema(name)));
      }
      return Map.of("allOf", List.of(Map.of("$ref", SCHEMAS + name)));
    }

    private Map<String, Object> schema(Map<String, Object> of) {
      Map<String, Object> schema = new LinkedHashMap<>();
      of.forEach(
          (keyword, value) -> {
            if (keyword.equals("$ref")) {
              schema.putAll(reference(value.toString()));
            } else if (keyword.equals("properties")) {
              Map<String, Object> properties = new TreeMap<>();
              JsonTree.asObject(value)
                  .forEach((name, field) -> properties.put(name, field(name, field)));
              schema.put(keyword, properties);
            } else if (!OF_GENERATOR.contains(keyword)) {
              schema.put(keyword, value instanceof Map ? schema(JsonTree.asObject(value)) : value);
            }
          });
      return schema;
    }

    /** How a strategic merge patch changes a list follows from how apply merges it. */
    private Map<String, Object> field(String name, Object of) {
      Map<String, Object> field = schema(JsonTree.asObject(of));
      String listType = JsonTree.string(field, LIST_TYPE);
      if (name.equals("strategy") && field.containsKey("allOf")) {
        field.put(STRATEGY, "retainKeys");
      } else if (listType.equals("map")) {
        boolean retains = name.equals("volumes") || name.equals("resourceClaims");
        field.put(STRATEGY, retains ? "merge,retainKeys" : "merge");
        field.put(
            "x-kubernetes-patch-merge-key",
            JsonTree.strings(field, "x-kubernetes-list-map-keys").get(0));
      } else if (listType.equals("set")) {
        field.put(STRATEGY, "merge");
      }
      return field;
    }
  }
}
