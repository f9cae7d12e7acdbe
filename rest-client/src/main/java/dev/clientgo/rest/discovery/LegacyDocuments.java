package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The older form of discovery, a document each for the core versions, the other groups, and the
 * resources of one version. Caches on disk have it, too.
 */
final class LegacyDocuments {

  private LegacyDocuments() {}

  /** Reads {@code APIVersions}: the core group, null if there is no version of it. */
  static @Nullable APIGroup coreGroup(Map<?, ?> document) {
    List<GroupVersion> versions =
        Documents.texts(document, "versions").stream()
            .map(version -> new GroupVersion("", version))
            .toList();
    return versions.isEmpty() ? null : new APIGroup("", versions, versions.get(0));
  }

  /** Reads {@code APIGroupList}. */
  static List<APIGroup> groups(Map<?, ?> document) {
    return Documents.objects(document, "groups").stream().map(LegacyDocuments::group).toList();
  }

  private static APIGroup group(Map<?, ?> group) {
    String name = Documents.text(group, "name");
    List<GroupVersion> versions =
        Documents.objects(group, "versions").stream()
            .map(version -> new GroupVersion(name, Documents.text(version, "version")))
            .toList();
    String preferred = Documents.text(Documents.object(group, "preferredVersion"), "version");
    return new APIGroup(
        name, versions, preferred.isEmpty() ? null : new GroupVersion(name, preferred));
  }

  /** Writes {@code APIGroupList}. */
  static Map<String, Object> write(List<APIGroup> groups) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (APIGroup group : groups) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", group.name());
      entry.put("versions", group.versions().stream().map(LegacyDocuments::version).toList());
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
    return Documents.objects(document, "resources").stream()
        .map(
            resource ->
                new APIResource(
                    Documents.text(resource, "name"),
                    Documents.text(resource, "singularName"),
                    Documents.isTrue(resource, "namespaced"),
                    Documents.text(resource, "group"),
                    Documents.text(resource, "version"),
                    Documents.text(resource, "kind"),
                    Documents.texts(resource, "verbs"),
                    Documents.texts(resource, "shortNames"),
                    Documents.texts(resource, "categories"),
                    Documents.textOrNull(resource, "storageVersionHash")))
        .toList();
  }

  /** Writes {@code APIResourceList}. */
  static Map<String, Object> write(GroupVersion version, List<APIResource> resources) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("kind", "APIResourceList");
    document.put("apiVersion", "v1");
    document.put("groupVersion", version.toString());
    document.put("resources", resources.stream().map(LegacyDocuments::write).toList());
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
