package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The facts that aggregated discovery adds to OpenAPI: short names, singular names, all verbs. */
final class Discovery {

  private final Map<String, Node> resources = new HashMap<>();

  /** Returns whether a document is one of aggregated discovery. */
  static boolean isDiscovery(Node document) {
    return "APIGroupDiscoveryList".equals(document.string("kind"));
  }

  /** Adds the resources of a document. */
  void add(Node document) {
    for (Node group : document.requireArray("items").items()) {
      Node metadata = group.get("metadata");
      String name = metadata == null ? null : metadata.string("name");
      for (Node version : group.requireArray("versions").items()) {
        for (Node resource : items(version.get("resources"))) {
          resources.put(
              key(
                  name == null ? "" : name,
                  version.requireString("version"),
                  resource.requireString("resource")),
              resource);
        }
      }
    }
  }

  private static List<Node> items(@Nullable Node array) {
    return array == null ? List.of() : array.items();
  }

  private static String key(String group, String version, String plural) {
    return group + "/" + version + "/" + plural;
  }

  /** Returns a resource with the facts of discovery added. */
  Resource complete(Resource resource) {
    Node found = resources.get(key(resource.group(), resource.version(), resource.plural()));
    if (found == null) {
      return resource;
    }
    String singular = found.string("singularResource");
    return new Resource(
        resource.group(),
        resource.version(),
        resource.kind(),
        resource.plural(),
        singular == null || singular.isEmpty() ? resource.singular() : singular,
        "Namespaced".equals(found.string("scope")),
        found.strings("shortNames"),
        found.strings("verbs"),
        resource.subresources(),
        resource.schema(),
        resource.typeName(),
        resource.source());
  }
}
