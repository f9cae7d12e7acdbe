package dev.clientgo.kubernetes;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.rest.RESTClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A kind that a server says it serves. */
record ServedKind(
    GroupVersionResource resource,
    String kind,
    boolean namespaced,
    Set<String> verbs,
    Set<String> subresources) {

  /** Asks a server for all of its kinds in some groups. */
  static List<ServedKind> discover(RESTClient client, Predicate<String> groups)
      throws InterruptedException {
    List<ServedKind> kinds = new ArrayList<>();
    if (groups.test("")) {
      add(kinds, "", read(client, "api", "v1"));
    }
    for (JsonNode group : read(client, "apis").get("groups")) {
      String name = group.get("name").asString();
      if (groups.test(name)) {
        for (JsonNode version : group.get("versions")) {
          add(kinds, name, read(client, "apis", name, version.get("version").asString()));
        }
      }
    }
    return kinds;
  }

  private static void add(List<ServedKind> kinds, String group, JsonNode list) {
    String groupVersion = list.get("groupVersion").asString();
    String version = groupVersion.substring(groupVersion.indexOf('/') + 1);
    for (JsonNode each : list.get("resources")) {
      String name = each.get("name").asString();
      if (name.indexOf('/') < 0) {
        Set<String> verbs = new TreeSet<>();
        each.get("verbs").forEach(verb -> verbs.add(verb.asString()));
        kinds.add(
            new ServedKind(
                new GroupVersion(group, version).withResource(name),
                each.get("kind").asString(),
                each.get("namespaced").asBoolean(),
                verbs,
                new TreeSet<>()));
      }
    }
    for (JsonNode each : list.get("resources")) {
      String name = each.get("name").asString();
      int slash = name.indexOf('/');
      if (slash > 0) {
        kinds.stream()
            .filter(kind -> kind.resource.group().equals(group))
            .filter(kind -> kind.resource.version().equals(version))
            .filter(kind -> kind.resource.resource().equals(name.substring(0, slash)))
            .forEach(kind -> kind.subresources.add(name.substring(slash + 1)));
      }
    }
  }

  private static JsonNode read(RESTClient client, String... path) throws InterruptedException {
    return JsonMapper.shared().readTree(client.get().absPath(path).execute().raw());
  }

  boolean can(String verb) {
    return verbs.contains(verb);
  }

  boolean has(String subresource) {
    return subresources.contains(subresource);
  }

  @Override
  public String toString() {
    return kind + " (" + resource.groupVersion() + ")";
  }
}
