package dev.clientgo.envtest.internal.discovery;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ApiVersionOrder;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Discovery in separate documents for the groups, for one group, and for the resources of one
 * version. {@link AggregatedDiscovery} combines them.
 */
public final class DiscoveryDocuments {

  public static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

  /** The kinds of subresources that differ from the kind of the resource. */
  public static final Map<String, GroupVersionKind> OTHER_KINDS =
      Map.of(
          "scale", new GroupVersionKind("autoscaling", "v1", "Scale"),
          "eviction", new GroupVersionKind("policy", "v1", "Eviction"),
          "token", new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"),
          "binding", new GroupVersionKind("", "", "Binding"),
          "attach", new GroupVersionKind("", "", "PodAttachOptions"),
          "exec", new GroupVersionKind("", "", "PodExecOptions"),
          "portforward", new GroupVersionKind("", "", "PodPortForwardOptions"));

  private final ResourceRegistry resources;

  public DiscoveryDocuments(ResourceRegistry resources) {
    this.resources = resources;
  }

  /** Returns the document at a path, or empty if there is none. */
  public Optional<Map<String, Object>> document(List<String> path, String serverAddress) {
    if (path.equals(List.of("api"))) {
      return Optional.of(coreVersions(serverAddress));
    }
    if (path.equals(List.of("apis"))) {
      return Optional.of(groups());
    }
    boolean core = path.get(0).equals("api") && path.size() == 2;
    boolean apis = path.get(0).equals("apis");
    if (apis && path.size() == 2) {
      return Optional.ofNullable(versionsByGroup().get(path.get(1)))
          .filter(versions -> !path.get(1).isEmpty())
          .map(versions -> typed("APIGroup", group(path.get(1), versions)));
    }
    if (core || (apis && path.size() == 3)) {
      String group = core ? "" : path.get(1);
      String version = path.get(path.size() - 1);
      List<String> versions = versionsByGroup().getOrDefault(group, List.of());
      return versions.contains(version)
          ? Optional.of(resourceList(group, version))
          : Optional.empty();
    }
    return Optional.empty();
  }

  private static Map<String, Object> coreVersions(String serverAddress) {
    return JsonTree.builder()
        .put("kind", "APIVersions")
        .put("versions", List.of("v1"))
        .put(
            "serverAddressByClientCIDRs",
            List.of(JsonTree.of("clientCIDR", "0.0.0.0/0", "serverAddress", serverAddress)))
        .build();
  }

  private Map<String, Object> groups() {
    List<Map<String, Object>> groups = new ArrayList<>();
    versionsByGroup()
        .forEach(
            (group, versions) -> {
              if (!group.isEmpty()) {
                groups.add(group(group, versions));
              }
            });
    return JsonTree.of("kind", "APIGroupList", "apiVersion", "v1", "groups", groups);
  }

  private static Map<String, Object> group(String group, List<String> versions) {
    List<Map<String, Object>> all =
        versions.stream().map(version -> groupVersion(group, version)).toList();
    return JsonTree.of("name", group, "versions", all, "preferredVersion", all.get(0));
  }

  private static Map<String, Object> groupVersion(String group, String version) {
    return JsonTree.of("groupVersion", group + "/" + version, "version", version);
  }

  private static Map<String, Object> typed(String kind, Map<String, Object> fields) {
    Map<String, Object> document =
        new LinkedHashMap<>(JsonTree.of("kind", kind, "apiVersion", "v1"));
    document.putAll(fields);
    return document;
  }

  private Map<String, Object> resourceList(String group, String version) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (Resource resource : resources(group, version)) {
      entries.add(entry(resource));
      for (String subresource : subresources(resource, version)) {
        entries.add(subresourceEntry(resource, subresource));
      }
    }
    return JsonTree.builder()
        .put("kind", "APIResourceList")
        .put("apiVersion", group.isEmpty() ? null : "v1")
        .put("groupVersion", group.isEmpty() ? version : group + "/" + version)
        .put("resources", entries)
        .build();
  }

  private static Map<String, Object> entry(Resource resource) {
    return JsonTree.builder()
        .put("name", resource.plural())
        .put("singularName", resource.singular())
        .put("namespaced", resource.namespaced())
        .put("kind", resource.kind())
        .put("verbs", resource.verbs())
        .put("shortNames", resource.shortNames().isEmpty() ? null : resource.shortNames())
        .put("categories", resource.categories().isEmpty() ? null : resource.categories())
        .build();
  }

  private static Map<String, Object> subresourceEntry(Resource resource, String subresource) {
    GroupVersionKind kind = OTHER_KINDS.get(subresource);
    return JsonTree.builder()
        .put("name", resource.plural() + "/" + subresource)
        .put("singularName", "")
        .put("namespaced", resource.namespaced())
        .put("group", kind == null || kind.group().isEmpty() ? null : kind.group())
        .put("version", kind == null || kind.version().isEmpty() ? null : kind.version())
        .put("kind", kind == null ? resource.kind() : kind.kind())
        .put("verbs", verbs(subresource))
        .build();
  }

  /* --------------- For both forms of discovery --------------- */

  /** The verbs of the subresources that are not read and written as objects. */
  public static final Map<String, List<String>> OWN_VERBS =
      Map.of(
          "binding", List.of("create"),
          "eviction", List.of("create"),
          "token", List.of("create"),
          "attach", List.of("create", "get"),
          "exec", List.of("create", "get"),
          "portforward", List.of("create", "get"),
          "log", List.of("get"));

  /** Returns the verbs of a subresource. */
  public static List<String> verbs(String subresource) {
    List<String> own = OWN_VERBS.get(subresource);
    if (own != null) {
      return own;
    }
    return subresource.equals("finalize") ? List.of("update") : SUBRESOURCE_VERBS;
  }

  /** Returns the groups in order, each with its versions, the preferred one first. */
  public Map<String, List<String>> versionsByGroup() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Resource resource : resources.all()) {
      List<String> versions = groups.computeIfAbsent(resource.group(), group -> new ArrayList<>());
      for (Version version : resource.versions()) {
        if (version.served() && !versions.contains(version.name())) {
          versions.add(version.name());
        }
      }
    }
    groups.values().removeIf(List::isEmpty);
    groups.values().forEach(versions -> versions.sort(ApiVersionOrder.PREFERRED_FIRST));
    return groups;
  }

  /** Returns the resources of a version, sorted by name. */
  public List<Resource> resources(String group, String version) {
    return resources.all().stream()
        .filter(resource -> resource.group().equals(group))
        .filter(resource -> resource.version(version).filter(Version::served).isPresent())
        .sorted(Comparator.comparing(Resource::plural))
        .toList();
  }

  /** Returns the subresources of a resource, in the order of discovery. */
  public static List<String> subresources(Resource resource, String version) {
    return resource.version(version).stream()
        .flatMap(v -> v.subresources().stream())
        .sorted(resource.isCustom() ? Comparator.reverseOrder() : Comparator.naturalOrder())
        .toList();
  }
}
