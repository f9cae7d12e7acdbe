package dev.clientgo.envtest.internal.rbac;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects permissions for one role, and writes them as few rules in a fixed order. For use by one
 * thread.
 */
final class RuleSet {

  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
  private static final Comparator<String> VERB_ORDER =
      Comparator.comparingInt((String verb) -> VERBS.contains(verb) ? VERBS.indexOf(verb) : 99)
          .thenComparing(Comparator.naturalOrder());

  /** The verbs by API group, name of an object (or empty) and resource, or by path. */
  private final NavigableMap<List<String>, SortedSet<String>> verbs =
      new TreeMap<>(
          Comparator.<List<String>, String>comparing(key -> key.get(0))
              .thenComparing(key -> key.get(1))
              .thenComparing(key -> key.get(2)));

  private final NavigableMap<String, SortedSet<String>> paths = new TreeMap<>();

  void add(String group, String resource, String name, String verb) {
    verbs
        .computeIfAbsent(List.of(group, resource, name), key -> new TreeSet<>(VERB_ORDER))
        .add(verb);
  }

  void addPath(String path, String verb) {
    paths.computeIfAbsent(path, key -> new TreeSet<>(VERB_ORDER)).add(verb);
  }

  boolean isEmpty() {
    return verbs.isEmpty() && paths.isEmpty();
  }

  /** Returns the rules. Resources of a group with the same verbs and name share one. */
  private List<Map<String, Object>> rules() {
    NavigableMap<String, PolicyRule> rules = new TreeMap<>();
    verbs.forEach(
        (key, allowed) -> {
          List<String> names = key.get(2).isEmpty() ? List.of() : List.of(key.get(2));
          String shared = key.get(0) + "\0" + key.get(2) + "\0" + allowed;
          // The first resource of a rule decides its place.
          String place =
              rules.entrySet().stream()
                  .filter(entry -> entry.getKey().endsWith("\1" + shared))
                  .map(Map.Entry::getKey)
                  .findFirst()
                  .orElse(key.get(0) + "\0" + key.get(1) + "\1" + shared);
          PolicyRule rule =
              new PolicyRule(
                  List.of(key.get(0)), List.of(key.get(1)), names, List.of(), List.copyOf(allowed));
          rules.merge(place, rule, RuleSet::joined);
        });
    paths.forEach(
        (path, allowed) ->
            rules.merge(
                "\uffff" + allowed,
                new PolicyRule(
                    List.of(), List.of(), List.of(), List.of(path), List.copyOf(allowed)),
                RuleSet::joined));
    return rules.values().stream().map(PolicyRule::tree).toList();
  }

  private static PolicyRule joined(PolicyRule one, PolicyRule other) {
    return new PolicyRule(
        one.apiGroups(),
        union(one.resources(), other.resources()),
        one.resourceNames(),
        union(one.nonResourceUrls(), other.nonResourceUrls()),
        one.verbs());
  }

  private static List<String> union(List<String> one, List<String> other) {
    Set<String> all = new TreeSet<>(one);
    all.addAll(other);
    return List.copyOf(all);
  }

  /** Returns the role as YAML; the namespace is empty for a ClusterRole. */
  String yaml(String namespace, String name) {
    Map<String, Object> role =
        JsonTree.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            namespace.isEmpty() ? "ClusterRole" : "Role",
            "metadata",
            JsonTree.of("name", name, "namespace", namespace.isEmpty() ? null : namespace),
            "rules",
            rules());
    return Unstructured.of(role).toYaml();
  }
}
