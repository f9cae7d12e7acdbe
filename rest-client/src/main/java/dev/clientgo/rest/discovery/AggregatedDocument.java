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
 * The newer form of discovery, which says all at once: {@code APIGroupDiscoveryList} of {@code
 * apidiscovery.k8s.io/v2}.
 */
final class AggregatedDocument {

  /** What is asked for; a server that does not know it answers in the older form. */
  static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

  /** The same, of one server alone; one that does not know that answers for its peers, too. */
  static final String ACCEPT_NO_PEER =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
          + ACCEPT;

  private static final Set<String> PARAMETERS =
      Set.of("g=apidiscovery.k8s.io", "v=v2", "as=apigroupdiscoverylist");

  private AggregatedDocument() {}

  /** Returns whether a media type is that of this form, whatever the order of its parameters. */
  static boolean isType(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    Set<String> parameters = new HashSet<>();
    for (int i = 1; i < parts.length; i++) {
      parameters.add(parts[i].strip().replaceAll("\\s*=\\s*", "=").replace("\"", ""));
    }
    return parts[0].strip().equals("application/json") && parameters.containsAll(PARAMETERS);
  }

  /** Reads it. */
  static ServerResources read(Map<?, ?> document) {
    List<APIGroup> groups = new ArrayList<>();
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, DiscoveryFailure> failures = new LinkedHashMap<>();
    for (Map<?, ?> item : Documents.objects(document, "items")) {
      String name = Documents.text(Documents.object(item, "metadata"), "name");
      List<GroupVersion> versions = new ArrayList<>();
      GroupVersion preferred = null;
      for (Map<?, ?> version : Documents.objects(item, "versions")) {
        GroupVersion groupVersion = new GroupVersion(name, Documents.text(version, "version"));
        if (Documents.text(version, "freshness").equals("Stale")) {
          failures.put(groupVersion, DiscoveryFailure.stale(groupVersion));
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
    for (Map<?, ?> resource : Documents.objects(version, "resources")) {
      String name = Documents.text(resource, "resource");
      add(resources, name, resource, resource, served);
      for (Map<?, ?> part : Documents.objects(resource, "subresources")) {
        add(resources, name + "/" + Documents.text(part, "subresource"), part, resource, served);
      }
    }
    return resources;
  }

  /** Adds a resource, or a part of one, unless the server does not say of which kind it is. */
  private static void add(
      List<APIResource> resources,
      String name,
      Map<?, ?> entry,
      Map<?, ?> parent,
      GroupVersion served) {
    Map<?, ?> kind = Documents.object(entry, "responseKind");
    String group = Documents.text(kind, "group");
    String version = Documents.text(kind, "version");
    if (Documents.text(kind, "kind").isEmpty()) {
      return;
    }
    boolean same = served.equals(new GroupVersion(group, version));
    boolean part = entry != parent;
    resources.add(
        new APIResource(
            name,
            part ? "" : Documents.text(entry, "singularResource"),
            Documents.text(parent, "scope").equals("Namespaced"),
            same ? "" : group,
            same ? "" : version,
            Documents.text(kind, "kind"),
            Documents.texts(entry, "verbs"),
            Documents.texts(entry, "shortNames"),
            Documents.texts(entry, "categories"),
            null));
  }
}
