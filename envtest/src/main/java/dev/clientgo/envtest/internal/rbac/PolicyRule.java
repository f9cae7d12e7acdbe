package dev.clientgo.envtest.internal.rbac;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;

/**
 * A rule of a role. Corresponds to {@code rbac/v1.PolicyRule} and to its evaluation in the API
 * server.
 */
public record PolicyRule(
    List<String> apiGroups,
    List<String> resources,
    List<String> resourceNames,
    List<String> nonResourceUrls,
    List<String> verbs) {

  private static final String ALL = "*";

  /** Reads a rule from a role. */
  public static PolicyRule of(Map<String, Object> tree) {
    return new PolicyRule(
        JsonTree.strings(tree, "apiGroups"),
        JsonTree.strings(tree, "resources"),
        JsonTree.strings(tree, "resourceNames"),
        JsonTree.strings(tree, "nonResourceURLs"),
        JsonTree.strings(tree, "verbs"));
  }

  static PolicyRule ofPaths(String verb, String... paths) {
    return new PolicyRule(List.of(), List.of(), List.of(), List.of(paths), List.of(verb));
  }

  static PolicyRule ofResources(String verb, String group, String... resources) {
    return new PolicyRule(List.of(group), List.of(resources), List.of(), List.of(), List.of(verb));
  }

  /** Returns whether the rule permits this. */
  public boolean allows(Attributes attributes) {
    return matches(verbs, attributes.verb())
        && (attributes.isResource()
            ? matches(apiGroups, attributes.group())
                && resources.stream().anyMatch(resource -> isFor(resource, attributes))
                && (resourceNames.isEmpty() || resourceNames.contains(attributes.name()))
            : nonResourceUrls.stream().anyMatch(url -> isFor(url, attributes.path())));
  }

  private static boolean matches(List<String> allowed, String value) {
    return allowed.contains(ALL) || allowed.contains(value);
  }

  private static boolean isFor(String resource, Attributes attributes) {
    return resource.equals(ALL)
        || resource.equals(attributes.combinedResource())
        || (!attributes.subresource().isEmpty()
            && resource.equals("*/" + attributes.subresource()));
  }

  private static boolean isFor(String url, String path) {
    return url.equals(path)
        || (url.endsWith(ALL) && path.startsWith(url.substring(0, url.length() - 1)));
  }

  /** Returns the rule as it is in a role, without what it does not name. */
  public Map<String, Object> tree() {
    return JsonTree.builder()
        .put("apiGroups", apiGroups.isEmpty() ? null : apiGroups)
        .put("resources", resources.isEmpty() ? null : resources)
        .put("resourceNames", resourceNames.isEmpty() ? null : resourceNames)
        .put("nonResourceURLs", nonResourceUrls.isEmpty() ? null : nonResourceUrls)
        .put("verbs", verbs)
        .build();
  }
}
