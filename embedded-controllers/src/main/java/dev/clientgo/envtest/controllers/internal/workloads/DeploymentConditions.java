package dev.clientgo.envtest.controllers.internal.workloads;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.kubernetes.apps.v1.DeploymentCondition;
import dev.clientgo.kubernetes.apps.v1.DeploymentStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The conditions in the status of a Deployment, with the reasons that upstream gives. */
final class DeploymentConditions {

  static final String PROGRESSING = "Progressing";
  static final String AVAILABLE = "Available";
  static final String REPLICA_FAILURE = "ReplicaFailure";

  static final String NEW_SET_CREATED = "NewReplicaSetCreated";
  static final String NEW_SET_FOUND = "FoundNewReplicaSet";
  static final String SET_CREATE_ERROR = "ReplicaSetCreateError";
  static final String SET_UPDATED = "ReplicaSetUpdated";
  static final String NEW_SET_AVAILABLE = "NewReplicaSetAvailable";
  static final String TIMED_OUT = "ProgressDeadlineExceeded";
  static final String PAUSED = "DeploymentPaused";
  static final String RESUMED = "DeploymentResumed";

  private DeploymentConditions() {}

  /** Returns a condition of a type. */
  static Optional<DeploymentCondition> find(DeploymentStatus status, String type) {
    return status.conditions().stream()
        .filter(condition -> type.equals(condition.type()))
        .findFirst();
  }

  /** Returns whether a condition has a reason. */
  static boolean hasReason(DeploymentStatus status, String type, String reason) {
    return find(status, type).filter(found -> reason.equals(found.reason())).isPresent();
  }

  /** Returns a condition that begins now. */
  static DeploymentCondition of(
      String type, String status, String reason, String message, Instant now) {
    return DeploymentCondition.of(
        c ->
            c.type(type)
                .status(status)
                .reason(reason)
                .message(message)
                .lastUpdateTime(Time.of(now))
                .lastTransitionTime(Time.of(now)));
  }

  /** Returns a status with a condition, unless it has one with that status and reason. */
  static DeploymentStatus set(DeploymentStatus status, DeploymentCondition condition) {
    String type = String.valueOf(condition.type());
    DeploymentCondition present = find(status, type).orElse(null);
    return present != null
            && Objects.equals(present.status(), condition.status())
            && Objects.equals(present.reason(), condition.reason())
        ? status
        : replace(status, condition);
  }

  /** Returns a status with a condition, which keeps the time of its last transition. */
  static DeploymentStatus replace(DeploymentStatus status, DeploymentCondition condition) {
    String type = String.valueOf(condition.type());
    Time since =
        find(status, type)
            .filter(present -> Objects.equals(present.status(), condition.status()))
            .map(DeploymentCondition::lastTransitionTime)
            .orElse(condition.lastTransitionTime());
    List<DeploymentCondition> others = others(status, type);
    others.add(condition.with(c -> c.lastTransitionTime(since)));
    return status.with(s -> s.conditions(others));
  }

  /** Returns a status without the condition of a type. */
  static DeploymentStatus remove(DeploymentStatus status, String type) {
    return status.with(s -> s.conditions(OmitEmpty.empty(others(status, type))));
  }

  private static List<DeploymentCondition> others(DeploymentStatus status, String type) {
    List<DeploymentCondition> others = new ArrayList<>(status.conditions());
    others.removeIf(condition -> type.equals(condition.type()));
    return others;
  }
}
