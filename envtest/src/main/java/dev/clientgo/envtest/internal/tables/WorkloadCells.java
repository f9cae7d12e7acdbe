package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.json.JsonTree.get;
import static dev.clientgo.envtest.internal.json.JsonTree.number;
import static dev.clientgo.envtest.internal.json.JsonTree.objects;
import static dev.clientgo.envtest.internal.json.JsonTree.string;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells of workloads, jobs, controller revisions and horizontal pod autoscalers. */
final class WorkloadCells {

  private static final List<String> UNFINISHED =
      List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

  private static final int FEW = 2;

  /** The metric of an autoscaler that does not name one. */
  private static final List<Map<String, Object>> DEFAULT_METRICS =
      List.of(
          JsonTree.builder()
              .put("type", "Resource")
              .put(
                  "resource",
                  JsonTree.of("name", "cpu", "target", JsonTree.of("averageUtilization", 80L)))
              .build());

  private WorkloadCells() {}

  static String readyReplicas(Map<String, Object> workload) {
    return Cells.number(workload, "status.readyReplicas", 0)
        + "/"
        + Cells.number(workload, "spec.replicas", 1);
  }

  static String jobStatus(Map<String, Object> job) {
    if (Cells.isTrue(job, "Complete")) {
      return "Complete";
    }
    if (Cells.isTrue(job, "Failed")) {
      return "Failed";
    }
    if (Cells.isBeingDeleted(job)) {
      return "Terminating";
    }
    return UNFINISHED.stream()
        .filter(condition -> Cells.isTrue(job, condition))
        .findFirst()
        .orElse("Running");
  }

  static String jobCompletions(Map<String, Object> job) {
    long succeeded = Cells.number(job, "status.succeeded", 0);
    Long parallelism = number(job, "spec", "parallelism");
    Long completions = number(job, "spec", "completions");
    if (completions != null || parallelism == null || parallelism <= 1) {
      return succeeded + "/" + (completions == null ? 1 : completions);
    }
    return succeeded + "/1 of " + parallelism;
  }

  static String jobDuration(Map<String, Object> job, Instant now) {
    String start = string(job, "status", "startTime");
    String end = string(job, "status", "completionTime");
    if (start.isEmpty()) {
      return "";
    }
    try {
      Instant until = end.isEmpty() ? now : Instant.parse(end);
      return HumanDuration.of(Duration.between(Instant.parse(start), until));
    } catch (DateTimeException e) {
      return "<invalid>";
    }
  }

  static String cronJobSuspended(Map<String, Object> cronJob) {
    return Boolean.TRUE.equals(get(cronJob, "spec", "suspend")) ? "True" : "False";
  }

  /** Returns the controller that owns a revision. */
  static String revisionController(Map<String, Object> revision) {
    return objects(revision, "metadata", "ownerReferences").stream()
        .filter(owner -> Boolean.TRUE.equals(owner.get("controller")))
        .findFirst()
        .map(WorkloadCells::owner)
        .orElse(Cells.NONE);
  }

  private static String owner(Map<String, Object> owner) {
    String group = GroupVersion.parse(string(owner, "apiVersion")).group();
    String kind = string(owner, "kind") + (group.isEmpty() ? "" : "." + group);
    return kind.toLowerCase(Locale.ROOT) + "/" + string(owner, "name");
  }

  /* --------------- Autoscalers --------------- */

  /** Returns the current and the target values of the first two metrics. */
  static String autoscalerTargets(Map<String, Object> scaler) {
    List<Map<String, Object>> specified = objects(scaler, "spec", "metrics");
    List<Map<String, Object>> wanted = specified.isEmpty() ? DEFAULT_METRICS : specified;
    List<Map<String, Object>> measured = objects(scaler, "status", "currentMetrics");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      all.add(target(wanted.get(i), i < measured.size() ? measured.get(i) : Map.of()));
    }
    return all.size() <= FEW
        ? String.join(", ", all)
        : String.join(", ", all.subList(0, FEW)) + " + " + (all.size() - FEW) + " more...";
  }

  private static String target(Map<String, Object> wanted, Map<String, Object> measured) {
    return switch (string(wanted, "type")) {
      case "External" -> value(wanted, measured, "external");
      case "Object" -> value(wanted, measured, "object");
      case "Pods" ->
          "%s/%s"
              .formatted(
                  of(measured, "pods", "averageValue"),
                  string(wanted, "pods", "target", "averageValue"));
      case "Resource" -> resource(wanted, measured, "resource");
      case "ContainerResource" -> resource(wanted, measured, "containerResource");
      default -> "<unknown type>";
    };
  }

  private static String value(
      Map<String, Object> wanted, Map<String, Object> measured, String source) {
    String average = string(wanted, source, "target", "averageValue");
    return average.isEmpty()
        ? of(measured, source, "value") + "/" + string(wanted, source, "target", "value")
        : of(measured, source, "averageValue") + "/" + average + " (avg)";
  }

  private static String resource(
      Map<String, Object> wanted, Map<String, Object> measured, String source) {
    String name = string(wanted, source, "name");
    String average = string(wanted, source, "target", "averageValue");
    if (!average.isEmpty()) {
      return name + ": " + of(measured, source, "averageValue") + "/" + average;
    }
    Long now = number(measured, source, "current", "averageUtilization");
    Long target = number(wanted, source, "target", "averageUtilization");
    return "%s: %s/%s"
        .formatted(
            name,
            now == null ? Cells.UNKNOWN : now + "%",
            target == null ? "<auto>" : target + "%");
  }

  private static String of(Map<String, Object> measured, String source, String what) {
    String value = string(measured, source, "current", what);
    return value.isEmpty() ? Cells.UNKNOWN : value;
  }
}
