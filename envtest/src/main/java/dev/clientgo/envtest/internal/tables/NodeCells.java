package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Cells of nodes. */
final class NodeCells {

  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";

  private NodeCells() {}

  static String status(Map<String, Object> node) {
    String ready =
        JsonTree.objects(node, "status", "conditions").stream()
            .filter(condition -> "Ready".equals(condition.get("type")))
            .reduce((first, last) -> last)
            .map(condition -> "True".equals(condition.get("status")) ? "Ready" : "NotReady")
            .orElse("Unknown");
    boolean closed = Boolean.TRUE.equals(JsonTree.get(node, "spec", "unschedulable"));
    return closed ? ready + ",SchedulingDisabled" : ready;
  }

  static String roles(Map<String, Object> node) {
    Set<String> roles = new TreeSet<>();
    JsonTree.object(node, "metadata", "labels")
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

  static String kernel(Map<String, Object> node) {
    String version = JsonTree.string(node, "status", "nodeInfo", "kernelVersion");
    String architecture = JsonTree.string(node, "status", "nodeInfo", "architecture");
    return (version.isEmpty() ? Cells.UNKNOWN : version)
        + (architecture.isEmpty() ? "" : " (" + architecture + ")");
  }

  /** Shows the first address of a type. */
  static Cell address(String type) {
    return (node, now) ->
        JsonTree.objects(node, "status", "addresses").stream()
            .filter(address -> type.equals(address.get("type")))
            .map(address -> JsonTree.string(address, "address"))
            .findFirst()
            .orElse(Cells.NONE);
  }
}
