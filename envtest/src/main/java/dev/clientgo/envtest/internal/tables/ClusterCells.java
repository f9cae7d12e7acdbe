package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.json.JsonTree.object;
import static dev.clientgo.envtest.internal.json.JsonTree.objects;
import static dev.clientgo.envtest.internal.json.JsonTree.string;
import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.joining;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Cells of nodes, quotas, volumes, role bindings and certificate signing requests. */
final class ClusterCells {

  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";

  private ClusterCells() {}

  static String nodeStatus(Map<String, Object> node) {
    String ready =
        objects(node, "status", "conditions").stream()
            .filter(condition -> "Ready".equals(condition.get("type")))
            .reduce((first, last) -> last)
            .map(condition -> "True".equals(condition.get("status")) ? "Ready" : "NotReady")
            .orElse("Unknown");
    boolean closed = Boolean.TRUE.equals(JsonTree.get(node, "spec", "unschedulable"));
    return closed ? ready + ",SchedulingDisabled" : ready;
  }

  static String nodeRoles(Map<String, Object> node) {
    Set<String> roles = new TreeSet<>();
    object(node, "metadata", "labels")
        .forEach(
            (label, value) -> {
              if (label.startsWith(ROLE_PREFIX)) {
                roles.add(label.substring(ROLE_PREFIX.length()));
              } else if (label.equals("kubernetes.io/role")) {
                roles.add(value.toString());
              }
            });
    roles.remove("");
    return roles.isEmpty() ? Cells.NONE : String.join(",", roles);
  }

  static String nodeKernel(Map<String, Object> node) {
    String version = string(node, "status", "nodeInfo", "kernelVersion");
    String architecture = string(node, "status", "nodeInfo", "architecture");
    return (version.isEmpty() ? Cells.UNKNOWN : version)
        + (architecture.isEmpty() ? "" : " (" + architecture + ")");
  }

  static String nodeAddress(Map<String, Object> node, String type) {
    return objects(node, "status", "addresses").stream()
        .filter(address -> type.equals(address.get("type")))
        .map(address -> string(address, "address"))
        .findFirst()
        .orElse(Cells.NONE);
  }

  static String quotaUsed(Map<String, Object> quota, boolean limits) {
    Map<String, Object> used = object(quota, "status", "used");
    return new TreeMap<>(object(quota, "status", "hard"))
        .entrySet().stream()
            .filter(hard -> hard.getKey().startsWith("limits.") == limits)
            .map(
                hard ->
                    "%s: %s/%s"
                        .formatted(
                            hard.getKey(),
                            requireNonNullElse(used.get(hard.getKey()), "0"),
                            hard.getValue()))
            .collect(joining(", "));
  }

  static String volumePhase(Map<String, Object> object) {
    return Cells.isBeingDeleted(object) ? "Terminating" : string(object, "status", "phase");
  }

  static String volumeClaim(Map<String, Object> volume) {
    Map<String, Object> claim = object(volume, "spec", "claimRef");
    return claim.isEmpty() ? "" : string(claim, "namespace") + "/" + string(claim, "name");
  }

  static String storageClass(Map<String, Object> object) {
    String annotation = "volume.beta.kubernetes.io/storage-class";
    Map<String, Object> annotations = object(object, "metadata", "annotations");
    return annotations.containsKey(annotation)
        ? string(annotations, annotation)
        : string(object, "spec", "storageClassName");
  }

  static String driverAudiences(Map<String, Object> driver) {
    return JsonTree.get(driver, "spec", "tokenRequests") == null
        ? Cells.UNSET
        : objects(driver, "spec", "tokenRequests").stream()
            .map(request -> string(request, "audience"))
            .collect(joining(","));
  }

  static String servedVersions(Map<String, Object> definition) {
    return objects(definition, "spec", "versions").stream()
        .filter(version -> Boolean.TRUE.equals(version.get("served")))
        .map(v -> string(v, "name") + (Boolean.TRUE.equals(v.get("storage")) ? "(storage)" : ""))
        .sorted()
        .collect(joining(","));
  }

  /** Shows whether a definition has been served. */
  static boolean isEstablished(Map<String, Object> definition) {
    return objects(definition, "status", "conditions").stream()
        .anyMatch(c -> "Established".equals(c.get("type")) && "True".equals(c.get("status")));
  }

  /** Shows the subjects of one kind in a binding. */
  static String bindingSubjects(Map<String, Object> binding, String kind) {
    return objects(binding, "subjects").stream()
        .filter(subject -> kind.equals(subject.get("kind")))
        .map(
            subject ->
                kind.equals("ServiceAccount")
                    ? string(subject, "namespace") + "/" + string(subject, "name")
                    : string(subject, "name"))
        .collect(joining(", "));
  }

  static String requestDuration(Map<String, Object> request) {
    Long seconds = JsonTree.number(request, "spec", "expirationSeconds");
    return seconds == null ? Cells.NONE : HumanDuration.of(Duration.ofSeconds(seconds));
  }

  static String requestCondition(Map<String, Object> request) {
    Set<String> types =
        objects(request, "status", "conditions").stream()
            .map(condition -> string(condition, "type"))
            .collect(Collectors.toSet());
    String verdict =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    return verdict
        + (types.contains("Failed") ? ",Failed" : "")
        + (string(request, "status", "certificate").isEmpty() ? "" : ",Issued");
  }
}
