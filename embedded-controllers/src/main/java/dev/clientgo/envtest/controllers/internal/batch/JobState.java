package dev.clientgo.envtest.controllers.internal.batch;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.batch.v1.JobCondition;
import dev.clientgo.kubernetes.batch.v1.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The conditions of a Job: whether it has finished, or will soon. */
final class JobState {

  static final String COMPLETE = "Complete";
  static final String FAILED = "Failed";
  static final String SUSPENDED = "Suspended";

  /** Comes before {@link #COMPLETE}, which waits until no pod runs. */
  static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

  /** Comes before {@link #FAILED}, which waits until no pod runs. */
  static final String FAILURE_TARGET = "FailureTarget";

  private JobState() {}

  /** Returns a condition that is True. */
  static Optional<JobCondition> find(JobStatus status, String type) {
    return status.conditions().stream()
        .filter(condition -> type.equals(condition.type()) && "True".equals(condition.status()))
        .findFirst();
  }

  /** Returns the condition with which a Job has finished. */
  static Optional<JobCondition> finished(Job job) {
    Optional<JobCondition> complete = find(job.status(), COMPLETE);
    return complete.isPresent() ? complete : find(job.status(), FAILED);
  }

  /** Returns when a Job has finished. */
  static Optional<Instant> finishedAt(Job job) {
    return finished(job).map(JobCondition::lastTransitionTime).map(Time::instant);
  }

  /** Returns a status with a condition, which replaces the one of its type. */
  static JobStatus with(
      JobStatus status, String type, boolean value, String reason, String message, Instant now) {
    List<JobCondition> conditions = new ArrayList<>(status.conditions());
    conditions.removeIf(condition -> type.equals(condition.type()));
    conditions.add(
        JobCondition.of(
            c ->
                c.type(type)
                    .status(value ? "True" : "False")
                    .reason(reason)
                    .message(message)
                    .lastProbeTime(Time.of(now))
                    .lastTransitionTime(Time.of(now))));
    return status.with(s -> s.conditions(conditions));
  }
}
