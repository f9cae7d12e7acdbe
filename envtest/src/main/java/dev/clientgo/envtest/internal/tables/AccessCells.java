package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Cells of role bindings and certificate signing requests. */
final class AccessCells {

  private AccessCells() {}

  /** Shows the subjects of one kind in a binding. */
  static Cell subjects(String kind) {
    return (binding, now) ->
        JsonTree.objects(binding, "subjects").stream()
            .filter(subject -> kind.equals(subject.get("kind")))
            .map(AccessCells::subject)
            .collect(Collectors.joining(", "));
  }

  private static String subject(Map<String, Object> subject) {
    String name = JsonTree.string(subject, "name");
    return "ServiceAccount".equals(subject.get("kind"))
        ? JsonTree.string(subject, "namespace") + "/" + name
        : name;
  }

  static String duration(Map<String, Object> request) {
    Long seconds = JsonTree.number(request, "spec", "expirationSeconds");
    return seconds == null ? Cells.NONE : HumanDuration.of(Duration.ofSeconds(seconds));
  }

  static String condition(Map<String, Object> request) {
    Set<Object> types =
        JsonTree.objects(request, "status", "conditions").stream()
            .map(condition -> JsonTree.string(condition, "type"))
            .collect(Collectors.toSet());
    String verdict =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    return verdict
        + (types.contains("Failed") ? ",Failed" : "")
        + (JsonTree.string(request, "status", "certificate").isEmpty() ? "" : ",Issued");
  }
}
