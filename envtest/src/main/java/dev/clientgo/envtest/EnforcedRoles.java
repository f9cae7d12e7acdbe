package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The roles in manifests, and the subject that they are bound to.
 *
 * @param objects the objects to store
 * @param user the name of the user
 * @param groups the groups of the user
 */
record EnforcedRoles(List<Unstructured> objects, String user, List<String> groups) {

  private static final String USER = "enforced";
  private static final String API_VERSION = "rbac.authorization.k8s.io/v1";
  private static final Set<String> KINDS =
      Set.of(
          "Namespace",
          "ServiceAccount",
          "Role",
          "ClusterRole",
          "RoleBinding",
          "ClusterRoleBinding");

  static EnforcedRoles read(List<Path> manifests) {
    List<Unstructured> objects = new ArrayList<>();
    for (Path file : manifests) {
      try {
        YamlReader.of(file.toString()).read(Files.readString(file), Unstructured.CODEC).stream()
            .filter(object -> KINDS.contains(object.kind()))
            .forEach(objects::add);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file.toAbsolutePath(), e);
      }
    }
    List<Unstructured> roles =
        objects.stream().filter(object -> object.kind().endsWith("Role")).toList();
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(manifests + " have no Role and no ClusterRole");
    }
    Set<Map<String, Object>> subjects = new LinkedHashSet<>();
    for (Unstructured object : objects) {
      if (object.kind().endsWith("Binding")) {
        subjects.addAll(JsonTree.objects(object.content(), "subjects"));
      }
    }
    if (subjects.isEmpty()) {
      roles.forEach(role -> objects.add(binding(role)));
      return new EnforcedRoles(List.copyOf(objects), USER, List.of());
    }
    if (subjects.size() > 1) {
      throw new IllegalArgumentException(
          "the bindings in %s have %d subjects: store them, and connect as one with restConfig(user, groups)"
              .formatted(manifests, subjects.size()));
    }
    return of(objects, subjects.iterator().next());
  }

  private static EnforcedRoles of(List<Unstructured> objects, Map<String, Object> subject) {
    String name = JsonTree.string(subject, "name");
    String namespace = JsonTree.string(subject, "namespace");
    List<Unstructured> all = List.copyOf(objects);
    return switch (JsonTree.string(subject, "kind")) {
      case "ServiceAccount" ->
          new EnforcedRoles(
              all,
              "system:serviceaccount:" + namespace + ":" + name,
              List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
      case "Group" -> new EnforcedRoles(all, USER, List.of(name));
      default -> new EnforcedRoles(all, name, List.of());
    };
  }

  private static Unstructured binding(Unstructured role) {
    String name = requireNonNullElse(role.metadata().name(), "");
    String group = "rbac.authorization.k8s.io";
    return Unstructured.of(
        JsonTree.of(
            "apiVersion",
            API_VERSION,
            "kind",
            role.kind() + "Binding",
            "metadata",
            JsonTree.of("name", USER + "-" + name, "namespace", role.metadata().namespace()),
            "roleRef",
            JsonTree.of("apiGroup", group, "kind", role.kind(), "name", name),
            "subjects",
            List.of(JsonTree.of("apiGroup", group, "kind", "User", "name", USER))));
  }
}
