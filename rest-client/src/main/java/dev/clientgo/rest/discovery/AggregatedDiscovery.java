package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the aggregated form of discovery, one document for all resources: {@code
 * APIGroupDiscoveryList} of {@code apidiscovery.k8s.io/v2}.
 */
final class AggregatedDiscovery {

  /** The header {@code Accept}; an older server responds in the unaggregated form. */
  static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

  /** The header for only one server; an older server includes its peers. */
  static final String ACCEPT_NO_PEER =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
          + ACCEPT;

  private static final Set<String> PARAMETERS =
      Set.of("g=apidiscovery.k8s.io", "v=v2", "as=apigroupdiscoverylist");

  private AggregatedDiscovery() {}

  /** Returns whether a media type is that of this form; the order of parameters does not matter. */
  static boolean isType(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    Set<String> parameters = new HashSet<>();
    for (int i = 1; i < parts.length; i++) {
      parameters.add(parts[i].replaceAll("[\\s\"]", ""));
    }
    return parts[0].strip().equals("application/json") && parameters.containsAll(PARAMETERS);
  }

  /** Reads a document. */
  static ServerResources read(Map<?, ?> document) {
    List<APIGroup> groups = new ArrayList<>();
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, ServerResources.Failure> failures = new LinkedHashMap<>();
    for (Map<?, ?> item : JsonTree.objects(document, "items")) {
      String name = JsonTree.text(JsonTree.object(item, "metadata"), "name");
      List<GroupVersion> versions = new ArrayList<>();
      GroupVersion preferred = null;
      for (Map<?, ?> version : JsonTree.objects(item, "versions")) {
        GroupVersion groupVersion = new GroupVersion(name, JsonTree.text(version, "version"));
        if (JsonTree.text(version, "freshness").equals("Stale")) {
          failures.put(groupVersion, ServerResources.Failure.stale(groupVersion));
        } else {
          versions.add(groupVersion);
          preferred = preferred == null ? groupVersion : preferred;
          resources.put(groupVersion, resources(version, groupVersion));
        }
      }
      groups.add(new APIGroup(name, versions, preferred));
    }
    return new ServerResources(groups, resources, failures);
  }

  private static List<APIResource> resources(Map<?, ?> version, GroupVersion served) {
    List<APIResource> resources = new ArrayList<>();
    for (Map<?, ?> resource : JsonTree.objects(version, "resources")) {
      String name = JsonTree.text(resource, "resource");
      add(resources, name, resource, resource, served);
      for (Map<?, ?> part : JsonTree.objects(resource, "subresources")) {
        add(resources, name + "/" + JsonTree.text(part, "subresource"), part, resource, served);
      }
    }
    return resources;
  }

  /** Adds a resource or a subresource, unless it has no kind. */
  private static void add(
      List<APIResource> resources,
      String name,
      Map<?, ?> entry,
      Map<?, ?> parent,
      GroupVersion served) {
    Map<?, ?> kind = JsonTree.object(entry, "responseKind");
    String group = JsonTree.text(kind, "group");
    String version = JsonTree.text(kind, "version");
    if (JsonTree.text(kind, "kind").isEmpty()) {
      return;
    }
    boolean same = served.equals(new GroupVersion(group, version));
    boolean part = entry != parent;
    resources.add(
        new APIResource(
            name,
            part ? "" : JsonTree.text(entry, "singularResource"),
            JsonTree.text(parent, "scope").equals("Namespaced"),
            same ? "" : group,
            same ? "" : version,
            JsonTree.text(kind, "kind"),
            JsonTree.texts(entry, "verbs"),
            JsonTree.texts(entry, "shortNames"),
            JsonTree.texts(entry, "categories"),
            null));
  }
}
