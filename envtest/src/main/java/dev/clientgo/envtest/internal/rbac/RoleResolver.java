package dev.clientgo.envtest.internal.rbac;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the rules for a user in the stored roles and bindings, and in those that each cluster has.
 * A role with an aggregation rule has the rules of the roles that it selects, at once; on a cluster
 * a controller copies them.
 *
 * <p>Corresponds to {@code validation.DefaultRuleResolver} of the API server. Safe for use by many
 * threads.
 */
public final class RoleResolver {

  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final String AUTHENTICATED = "system:authenticated";
  private static final String UNAUTHENTICATED = "system:unauthenticated";
  private static final List<PolicyRule> BASIC =
      List.of(
          PolicyRule.ofResources(
              "create",
              "authorization.k8s.io",
              "selfsubjectaccessreviews",
              "selfsubjectrulesreviews"),
          PolicyRule.ofResources("create", "authentication.k8s.io", "selfsubjectreviews"));
  private static final List<PolicyRule> DISCOVERY =
      List.of(
          PolicyRule.ofPaths(
              "get",
              "/livez",
              "/readyz",
              "/healthz",
              "/version",
              "/version/",
              "/openapi",
              "/openapi/*",
              "/api",
              "/api/*",
              "/apis",
              "/apis/*"));
  private static final List<PolicyRule> PUBLIC =
      List.of(PolicyRule.ofPaths("get", "/livez", "/readyz", "/healthz", "/version", "/version/"));
  private static final List<PolicyRule> EVERYTHING =
      List.of(
          new PolicyRule(List.of("*"), List.of("*"), List.of(), List.of(), List.of("*")),
          PolicyRule.ofPaths("*", "*"));

  /**
   * Rules with their source.
   *
   * @param roleKind {@code Role} or {@code ClusterRole}
   * @param role the name of the role
   * @param namespace the namespace of the binding; empty for all
   * @param binding describes the binding
   * @param rules the rules
   */
  public record Grant(
      String roleKind, String role, String namespace, String binding, List<PolicyRule> rules) {

    /** Returns whether each cluster has the grant. */
    public boolean isBuiltIn() {
      return role.startsWith("system:");
    }
  }

  /** The rules for a user, and why some are not known. */
  public record Grants(List<Grant> grants, List<String> errors) {}

  private final ObjectStore store;

  public RoleResolver(ObjectStore store) {
    this.store = store;
  }

  /** Returns the rules for a user in a namespace; only those for the cluster if it is empty. */
  public Grants rulesFor(ApiRequest.User user, String namespace) {
    List<Grant> grants = new ArrayList<>(builtIn(user));
    List<String> errors = new ArrayList<>();
    for (StoredObject binding : all("clusterrolebindings", "")) {
      add(binding, "", user, grants, errors);
    }
    if (!namespace.isEmpty()) {
      for (StoredObject binding : all("rolebindings", StoredObject.prefix(namespace))) {
        add(binding, namespace, user, grants, errors);
      }
    }
    return new Grants(List.copyOf(grants), List.copyOf(errors));
  }

  /** Returns the rules for a user in all namespaces and for the cluster. */
  public List<Grant> everywhere(ApiRequest.User user) {
    List<Grant> grants = new ArrayList<>(rulesFor(user, "").grants());
    for (StoredObject binding : all("rolebindings", "")) {
      String namespace = requireNonNullElse(binding.metadata().namespace(), "");
      add(binding, namespace, user, grants, new ArrayList<>());
    }
    return grants;
  }

  /** Returns the rules of an administrator. */
  public List<PolicyRule> everything() {
    return EVERYTHING;
  }

  /** Returns whether every cluster lets the user do this, without an additional role. */
  static boolean isBuiltIn(Attributes attributes) {
    return builtIn(attributes.user()).stream()
        .flatMap(grant -> grant.rules().stream())
        .anyMatch(rule -> rule.allows(attributes));
  }

  private static List<Grant> builtIn(ApiRequest.User user) {
    List<Grant> grants = new ArrayList<>();
    if (user.groups().contains(AUTHENTICATED)) {
      grants.add(builtIn("system:basic-user", AUTHENTICATED, BASIC));
      grants.add(builtIn("system:discovery", AUTHENTICATED, DISCOVERY));
    }
    Stream.of(AUTHENTICATED, UNAUTHENTICATED)
        .filter(user.groups()::contains)
        .findFirst()
        .ifPresent(group -> grants.add(builtIn("system:public-info-viewer", group, PUBLIC)));
    return grants;
  }

  private static Grant builtIn(String role, String group, List<PolicyRule> rules) {
    return new Grant(
        "ClusterRole",
        role,
        "",
        "ClusterRoleBinding \"%s\" of ClusterRole \"%s\" to Group \"%s\""
            .formatted(role, role, group),
        rules);
  }

  private void add(
      StoredObject binding,
      String namespace,
      ApiRequest.User user,
      List<Grant> grants,
      List<String> errors) {
    Map<String, Object> tree = binding.object().content();
    for (Map<String, Object> subject : JsonTree.objects(tree, "subjects")) {
      if (isFor(subject, namespace, user)) {
        add(binding, namespace, subject, grants, errors);
        return;
      }
    }
  }

  private void add(
      StoredObject binding,
      String namespace,
      Map<String, Object> subject,
      List<Grant> grants,
      List<String> errors) {
    Map<String, Object> tree = binding.object().content();
    String kind = JsonTree.string(tree, "roleRef", "kind");
    String name = JsonTree.string(tree, "roleRef", "name");
    boolean cluster = kind.equals("ClusterRole");
    StoredObject role =
        store.get(
            new GroupResource(GROUP, cluster ? "clusterroles" : "roles"),
            StoredObject.key(cluster ? "" : namespace, name));
    if (role == null && !(cluster && name.equals("cluster-admin"))) {
      errors.add("%s.%s \"%s\" not found".formatted(cluster ? "clusterrole" : "role", GROUP, name));
      return;
    }
    String description =
        "%s \"%s\" of %s \"%s\" to %s"
            .formatted(
                namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                namespace.isEmpty() ? binding.name() : binding.name() + "/" + namespace,
                kind,
                name,
                described(subject, namespace));
    List<PolicyRule> rules = role == null ? EVERYTHING : rules(role, new HashSet<>());
    grants.add(new Grant(kind, name, namespace, description, rules));
  }

  private static boolean isFor(
      Map<String, Object> subject, String namespace, ApiRequest.User user) {
    String name = JsonTree.string(subject, "name");
    return switch (JsonTree.string(subject, "kind")) {
      case "User" -> name.equals(user.name());
      case "Group" -> user.groups().contains(name);
      case "ServiceAccount" -> {
        String own = JsonTree.string(subject, "namespace");
        yield user.isServiceAccount(own.isEmpty() ? namespace : own, name);
      }
      default -> false;
    };
  }

  private static String described(Map<String, Object> subject, String namespace) {
    String kind = JsonTree.string(subject, "kind");
    String name = JsonTree.string(subject, "name");
    String own = JsonTree.string(subject, "namespace");
    return kind.equals("ServiceAccount")
        ? "%s \"%s/%s\"".formatted(kind, name, own.isEmpty() ? namespace : own)
        : "%s \"%s\"".formatted(kind, name);
  }

  private List<PolicyRule> rules(StoredObject role, Set<String> seen) {
    Map<String, Object> tree = role.object().content();
    List<Map<String, Object>> selectors =
        JsonTree.objects(tree, "aggregationRule", "clusterRoleSelectors");
    if (selectors.isEmpty()) {
      return JsonTree.objects(tree, "rules").stream().map(PolicyRule::of).toList();
    }
    seen.add(role.name());
    List<PolicyRule> rules = new ArrayList<>();
    for (Map<String, Object> labels : selectors) {
      Selector selector =
          Selector.of(JsonReader.fromBytes(LabelSelector.CODEC, JsonText.write(labels)));
      for (StoredObject other : all("clusterroles", "")) {
        if (selector.matches(other.labels()) && !seen.contains(other.name())) {
          rules.addAll(rules(other, seen));
        }
      }
    }
    return rules.stream().distinct().toList();
  }

  private Collection<StoredObject> all(String resource, String prefix) {
    return store.list(new GroupResource(GROUP, resource), prefix).objects().values();
  }
}
