package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the unaggregated form of discovery: one document for the core versions, one for
 * the other groups, and one for the resources of each version. Caches on disk use it too.
 */
final class UnaggregatedDiscovery {

  private UnaggregatedDiscovery() {}

  /** Reads {@code APIVersions}: the core group, null if it has no version. */
  static @Nullable APIGroup coreGroup(Map<?, ?> document) {
    List<GroupVersion> versions =
        JsonTree.texts(document, "versions").stream()
            .map(version -> new GroupVersion("", version))
            .toList();
    return versions.isEmpty() ? null : new APIGroup("", versions, versions.get(0));
  }

  /** Reads {@code APIGroupList}. */
  static List<APIGroup> groups(Map<?, ?> document) {
    return JsonTree.objects(document, "groups").stream().map(UnaggregatedDiscovery::group).toList();
  }

  private static APIGroup group(Map<?, ?> group) {
    String name = JsonTree.text(group, "name");
    List<GroupVersion> versions =
        JsonTree.objects(group, "versions").stream()
            .map(version -> new GroupVersion(name, JsonTree.text(version, "version")))
            .toList();
    String preferred = JsonTree.text(JsonTree.object(group, "preferredVersion"), "version");
    return new APIGroup(
        name, versions, preferred.isEmpty() ? null : new GroupVersion(name, preferred));
  }

  /** Writes {@code APIGroupList}. */
  static Map<String, Object> write(List<APIGroup> groups) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (APIGroup group : groups) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", group.name());
      entry.put("versions", group.versions().stream().map(UnaggregatedDiscovery::version).toList());
      if (group.preferredVersion() != null) {
        entry.put("preferredVersion", version(group.preferredVersion()));
      }
      list.add(entry);
    }
    return Map.of("kind", "APIGroupList", "apiVersion", "v1", "groups", list);
  }

  private static Map<String, String> version(GroupVersion version) {
    return Map.of("groupVersion", version.toString(), "version", version.version());
  }

  /** Reads {@code APIResourceList}. */
  static List<APIResource> resources(Map<?, ?> document) {
    return JsonTree.objects(document, "resources").stream()
        .map(
            resource ->
                new APIResource(
                    JsonTree.text(resource, "name"),
                    JsonTree.text(resource, "singularName"),
                    JsonTree.isTrue(resource, "namespaced"),
                    JsonTree.text(resource, "group"),
                    JsonTree.text(resource, "version"),
                    JsonTree.text(resource, "kind"),
                    JsonTree.texts(resource, "verbs"),
                    JsonTree.texts(resource, "shortNames"),
                    JsonTree.texts(resource, "categories"),
                    JsonTree.textOrNull(resource, "storageVersionHash")))
        .toList();
  }

  /** Writes {@code APIResourceList}. */
  static Map<String, Object> write(GroupVersion version, List<APIResource> resources) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("kind", "APIResourceList");
    document.put("apiVersion", "v1");
    document.put("groupVersion", version.toString());
    document.put("resources", resources.stream().map(UnaggregatedDiscovery::write).toList());
    return document;
  }

  private static Map<String, Object> write(APIResource resource) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", resource.name());
    entry.put("singularName", resource.singularName());
    entry.put("namespaced", resource.namespaced());
    putUnlessEmpty(entry, "group", resource.group());
    putUnlessEmpty(entry, "version", resource.version());
    entry.put("kind", resource.kind());
    entry.put("verbs", resource.verbs());
    entry.put("shortNames", resource.shortNames());
    entry.put("categories", resource.categories());
    String hash = resource.storageVersionHash();
    putUnlessEmpty(entry, "storageVersionHash", hash == null ? "" : hash);
    return entry;
  }

  private static void putUnlessEmpty(Map<String, Object> entry, String field, String value) {
    if (!value.isEmpty()) {
      entry.put(field, value);
    }
  }
}
