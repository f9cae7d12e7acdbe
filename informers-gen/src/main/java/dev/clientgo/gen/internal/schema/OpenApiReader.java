package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads OpenAPI v3 documents, as an API server publishes one for each group and version. */
final class OpenApiReader {

  private static final Pattern PATH =
      Pattern.compile(
          "/(?:api|apis/([^/{}]+))/([^/{}]+)/(namespaces/\\{namespace\\}/)?([^/{}]+)"
              + "(?:/\\{name\\}(?:/([^{}]+))?)?");

  private static final Map<String, String> VERBS = Map.of("post", "create", "put", "update");

  /** The facts about a resource that the paths give. */
  private static final class Served {
    final String group;
    final String version;
    final String plural;
    final List<String> verbs = new ArrayList<>();
    final List<String> subresources = new ArrayList<>();
    boolean namespaced;
    @Nullable String kind;

    Served(String group, String version, String plural) {
      this.group = group;
      this.version = version;
      this.plural = plural;
    }
  }

  private OpenApiReader() {}

  /** Returns whether a document is an OpenAPI document of version 3. */
  static boolean isOpenApi(Node document) {
    String version = document.string("openapi");
    return version != null && version.startsWith("3.");
  }

  /** Adds the named types and the resources of a document to a catalog. */
  static void read(Node document, Catalog catalog) {
    Node schemas = document.at("components", "schemas");
    if (schemas == null) {
      throw document.error("needs components.schemas");
    }
    schemas.fields().forEach(catalog::addType);
    Map<String, String> names = kinds(schemas);
    Node paths = document.get("paths");
    Map<String, Served> served = paths == null ? Map.of() : served(paths);
    if (paths != null) {
      addOtherKinds(paths, names, catalog);
    }
    for (Served each : served.values()) {
      if (each.kind != null) {
        String name = names.get(each.group + "/" + each.version + "/" + each.kind);
        Node source = name == null ? null : schemas.get(name);
        if (name != null && source != null) {
          catalog.add(resource(each, each.kind, name, source));
        }
      }
    }
  }

  private static Resource resource(Served served, String kind, String typeName, Node source) {
    return new Resource(
        served.group,
        served.version,
        kind,
        served.plural,
        kind.toLowerCase(java.util.Locale.ROOT),
        served.namespaced,
        List.of(),
        List.copyOf(served.verbs),
        List.copyOf(served.subresources),
        null,
        typeName,
        source);
  }

  /** Returns the named types that are kinds, by group, version and kind. */
  private static Map<String, String> kinds(Node schemas) {
    Map<String, String> names = new TreeMap<>();
    schemas
        .fields()
        .forEach(
            (name, schema) -> {
              Node kinds = schema.get("x-kubernetes-group-version-kind");
              if (kinds != null && kinds.items().size() == 1) {
                names.put(kindKey(kinds.items().get(0)), name);
              }
            });
    return names;
  }

  /** Adds the kinds that subresources take and give, such as {@code Eviction} and {@code Scale}. */
  private static void addOtherKinds(Node paths, Map<String, String> names, Catalog catalog) {
    for (Node operations : paths.fields().values()) {
      for (Node operation : operations.fields().values()) {
        Node kind = operation.isObject() ? operation.get("x-kubernetes-group-version-kind") : null;
        String name = kind == null ? null : names.get(kindKey(kind));
        if (name != null) {
          catalog.addOtherKind(name);
        }
      }
    }
  }

  private static String kindKey(Node kind) {
    return kind.string("group") + "/" + kind.string("version") + "/" + kind.string("kind");
  }

  private static Map<String, Served> served(Node paths) {
    Map<String, Served> served = new TreeMap<>();
    paths
        .fields()
        .forEach(
            (path, operations) -> {
              Matcher matcher = PATH.matcher(path);
              if (matcher.matches() && !matcher.group(4).equals("watch")) {
                String group = matcher.group(1) == null ? "" : matcher.group(1);
                Served each =
                    served.computeIfAbsent(
                        group + "/" + matcher.group(2) + "/" + matcher.group(4),
                        key -> new Served(group, matcher.group(2), matcher.group(4)));
                addPath(each, matcher, operations);
              }
            });
    return served;
  }

  private static void addPath(Served served, Matcher path, Node operations) {
    served.namespaced |= path.group(3) != null;
    if (path.group(5) != null) {
      if (!served.subresources.contains(path.group(5))) {
        served.subresources.add(path.group(5));
      }
      return;
    }
    for (Node operation : operations.fields().values()) {
      String action = operation.isObject() ? operation.string("x-kubernetes-action") : null;
      Node kind = operation.isObject() ? operation.get("x-kubernetes-group-version-kind") : null;
      if (action != null && kind != null) {
        served.kind = kind.string("kind");
        String verb = VERBS.getOrDefault(action, action);
        addVerb(served, verb);
        if (verb.equals("list")) {
          addVerb(served, "watch");
        }
      }
    }
  }

  private static void addVerb(Served served, String verb) {
    if (!served.verbs.contains(verb)) {
      served.verbs.add(verb);
    }
  }
}
