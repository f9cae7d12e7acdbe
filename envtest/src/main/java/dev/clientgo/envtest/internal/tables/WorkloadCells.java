package dev.clientgo.envtest.internal.tables;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells of jobs, cron jobs and controller revisions. */
final class WorkloadCells {

  private static final List<String> UNFINISHED =
      List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

  private WorkloadCells() {}

  static String status(Map<String, Object> job) {
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

  static String completions(Map<String, Object> job) {
    long succeeded = Cells.number(job, "status.succeeded", 0);
    Long parallelism = JsonTree.number(job, "spec", "parallelism");
    Long completions = JsonTree.number(job, "spec", "completions");
    if (completions != null || parallelism == null || parallelism <= 1) {
      return succeeded + "/" + (completions == null ? 1 : completions);
    }
    return succeeded + "/1 of " + parallelism;
  }

  static String duration(Map<String, Object> job, Instant now) {
    String start = JsonTree.string(job, "status", "startTime");
    String end = JsonTree.string(job, "status", "completionTime");
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

  static String suspended(Map<String, Object> cronJob) {
    return Boolean.TRUE.equals(JsonTree.get(cronJob, "spec", "suspend")) ? "True" : "False";
  }

  /** Returns the controller that owns a revision. */
  static String controller(Map<String, Object> revision) {
    return JsonTree.objects(revision, "metadata", "ownerReferences").stream()
        .filter(owner -> Boolean.TRUE.equals(owner.get("controller")))
        .findFirst()
        .map(WorkloadCells::owner)
        .orElse(Cells.NONE);
  }

  private static String owner(Map<String, Object> owner) {
    String group = GroupVersion.parse(JsonTree.string(owner, "apiVersion")).group();
    String kind = JsonTree.string(owner, "kind") + (group.isEmpty() ? "" : "." + group);
    return kind.toLowerCase(Locale.ROOT) + "/" + JsonTree.string(owner, "name");
  }
}
