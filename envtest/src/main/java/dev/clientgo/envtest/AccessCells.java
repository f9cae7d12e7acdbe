package dev.clientgo.envtest;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What tables say of who may do what, and of certificates. */
final class AccessCells {

  private AccessCells() {}

  /** Shows the subjects of a kind that a binding names. */
  static Cell subjects(String kind) {
    return (binding, now) ->
        Tree.objects(binding, "subjects").stream()
            .filter(subject -> kind.equals(subject.get("kind")))
            .map(AccessCells::subject)
            .collect(Collectors.joining(", "));
  }

  private static String subject(Map<String, Object> subject) {
    String name = Tree.string(subject, "name");
    return "ServiceAccount".equals(subject.get("kind"))
        ? Tree.string(subject, "namespace") + "/" + name
        : name;
  }

  static String duration(Map<String, Object> request) {
    Long seconds = Tree.number(request, "spec", "expirationSeconds");
    return seconds == null ? Cells.NONE : Age.of(Duration.ofSeconds(seconds));
  }

  static String condition(Map<String, Object> request) {
    Set<Object> types =
        Tree.objects(request, "status", "conditions").stream()
            .map(condition -> Tree.string(condition, "type"))
            .collect(Collectors.toSet());
    String verdict =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    return verdict
        + (types.contains("Failed") ? ",Failed" : "")
        + (Tree.string(request, "status", "certificate").isEmpty() ? "" : ",Issued");
  }
}
