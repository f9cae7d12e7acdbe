package dev.clientgo.envtest.internal.rbac;

import dev.clientgo.envtest.internal.rbac.RoleResolver.Grant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes two reports about permissions: the least roles that permit a set of accesses, and the
 * rules of roles that no access has used.
 */
public final class RoleReport {

  private static final String CLUSTER = "";

  private RoleReport() {}

  /** A permission for which names of objects are collected. */
  private record Permission(String namespace, String group, String resource, String verb) {}

  /**
   * Returns the roles that permit the accesses, as YAML: a ClusterRole for those to the cluster and
   * to all namespaces, and a Role for each other namespace.
   *
   * @param anywhere the namespaces that stand for any
   */
  public static String needed(String name, List<Attributes> accesses, Set<String> anywhere) {
    Map<String, RuleSet> roles = new TreeMap<>();
    Map<Permission, Set<String>> names = new LinkedHashMap<>();
    for (Attributes access : accesses) {
      if (RoleResolver.isBuiltIn(access)) {
        continue;
      }
      if (!access.isResource()) {
        roles.computeIfAbsent(CLUSTER, n -> new RuleSet()).addPath(access.path(), access.verb());
        continue;
      }
      for (String verb : implied(access.verb())) {
        names
            .computeIfAbsent(
                new Permission(
                    scope(access, anywhere), access.group(), access.combinedResource(), verb),
                p -> new HashSet<>())
            .add(access.name());
      }
    }
    names.forEach(
        (permission, objects) -> {
          boolean everywhere =
              names.containsKey(
                  new Permission(CLUSTER, permission.group, permission.resource, permission.verb));
          if (permission.namespace.isEmpty() || !everywhere) {
            boolean one = !permission.namespace.isEmpty() && objects.size() == 1;
            roles
                .computeIfAbsent(permission.namespace, n -> new RuleSet())
                .add(
                    permission.group,
                    permission.resource,
                    one ? objects.iterator().next() : "",
                    permission.verb);
          }
        });
    return roles.entrySet().stream()
        .map(role -> role.getValue().yaml(role.getKey(), name))
        .collect(Collectors.joining("---\n"));
  }

  /** A client that watches must be able to list: older servers do not stream the first list. */
  private static List<String> implied(String verb) {
    return verb.equals("watch") ? List.of("list", "watch") : List.of(verb);
  }

  private static String scope(Attributes access, Set<String> anywhere) {
    boolean namespace = access.group().isEmpty() && access.resource().equals("namespaces");
    return namespace || anywhere.contains(access.namespace()) ? CLUSTER : access.namespace();
  }

  /** Returns the roles of a user with only those permissions that no access has used, as YAML. */
  public static String unused(Collection<Grant> grants, List<Attributes> accesses) {
    List<Attributes> used = new ArrayList<>();
    for (Attributes access : accesses) {
      implied(access.verb()).forEach(verb -> used.add(access.withVerb(verb)));
    }
    Map<List<String>, RuleSet> roles = new LinkedHashMap<>();
    for (Grant grant : grants) {
      if (!grant.isBuiltIn()) {
        String namespace = grant.roleKind().equals("Role") ? grant.namespace() : CLUSTER;
        RuleSet unused =
            roles.computeIfAbsent(List.of(namespace, grant.role()), key -> new RuleSet());
        grant.rules().forEach(rule -> addUnused(rule, grant.namespace(), used, unused));
      }
    }
    return roles.entrySet().stream()
        .filter(role -> !role.getValue().isEmpty())
        .map(role -> role.getValue().yaml(role.getKey().get(0), role.getKey().get(1)))
        .collect(Collectors.joining("---\n"));
  }

  private static void addUnused(
      PolicyRule rule, String namespace, List<Attributes> used, RuleSet unused) {
    List<Attributes> here =
        used.stream().filter(a -> namespace.isEmpty() || a.namespace().equals(namespace)).toList();
    List<String> names = rule.resourceNames().isEmpty() ? List.of("") : rule.resourceNames();
    for (String verb : rule.verbs()) {
      for (String group : rule.apiGroups()) {
        for (String resource : rule.resources()) {
          for (String name : names) {
            List<String> only = name.isEmpty() ? List.of() : List.of(name);
            PolicyRule part =
                new PolicyRule(List.of(group), List.of(resource), only, List.of(), List.of(verb));
            if (here.stream().noneMatch(part::allows)) {
              unused.add(group, resource, name, verb);
            }
          }
        }
      }
      for (String path : rule.nonResourceUrls()) {
        if (here.stream().noneMatch(PolicyRule.ofPaths(verb, path)::allows)) {
          unused.addPath(path, verb);
        }
      }
    }
  }
}
