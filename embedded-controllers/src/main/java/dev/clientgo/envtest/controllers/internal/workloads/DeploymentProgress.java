package dev.clientgo.envtest.controllers.internal.workloads;

import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.AVAILABLE;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.NEW_SET_AVAILABLE;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.PROGRESSING;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.REPLICA_FAILURE;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.SET_UPDATED;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.TIMED_OUT;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentCondition;
import dev.clientgo.kubernetes.apps.v1.DeploymentStatus;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers and the conditions in the status of a Deployment: whether it is available, and
 * whether its rollout progresses, is complete, or has exceeded its deadline.
 *
 * <p>Corresponds to {@code pkg/controller/deployment/progress.go}.
 */
final class DeploymentProgress {

  private final Rollout rollout;
  private final DeploymentSettings settings;
  private final Instant now;

  DeploymentProgress(Rollout rollout) {
    this.rollout = rollout;
    this.settings = rollout.settings();
    this.now = rollout.now();
  }

  /** Returns whether the status says that all pods are new, and available. */
  static boolean isComplete(Deployment deployment) {
    return isComplete(deployment, deployment.status());
  }

  private static boolean isComplete(Deployment deployment, DeploymentStatus status) {
    int replicas = DeploymentSettings.of(deployment).replicas();
    return number(status.updatedReplicas()) == replicas
        && number(status.replicas()) == replicas
        && number(status.availableReplicas()) == replicas
        && Objects.equals(status.observedGeneration(), deployment.metadata().generation());
  }

  private static int number(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  /* --------------- Numbers --------------- */

  /** Computes the numbers and the condition Available. */
  void count() {
    List<ReplicaSet> all = rollout.allSets();
    ReplicaSet newSet = rollout.newSet();
    int available = ReplicaSets.available(all);
    int updated = newSet == null ? 0 : ReplicaSets.actual(List.of(newSet));
    int unavailable = Math.max(0, ReplicaSets.wanted(all) - available);
    rollout.changeStatus(
        s ->
            s.with(
                b ->
                    b.observedGeneration(rollout.stored().metadata().generation())
                        .replicas(OmitEmpty.zero(ReplicaSets.actual(all)))
                        .updatedReplicas(OmitEmpty.zero(updated))
                        .readyReplicas(OmitEmpty.zero(ReplicaSets.ready(all)))
                        .availableReplicas(OmitEmpty.zero(available))
                        .unavailableReplicas(OmitEmpty.zero(unavailable))
                        .terminatingReplicas(ReplicaSets.terminating(all))));
    boolean enough = available >= settings.replicas() - settings.maxUnavailable();
    DeploymentCondition condition =
        enough
            ? condition(
                AVAILABLE,
                "True",
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.")
            : condition(
                AVAILABLE,
                "False",
                "MinimumReplicasUnavailable",
                "Deployment does not have minimum availability.");
    rollout.changeStatus(s -> DeploymentConditions.set(s, condition));
  }

  /* --------------- Progress --------------- */

  /**
   * Computes the numbers and all conditions, in a rollout.
   *
   * @return when to look whether the deadline has passed, empty for never
   */
  Optional<Instant> judge() {
    count();
    DeploymentStatus status = rollout.status();
    if (settings.progressDeadline().isEmpty()) {
      rollout.changeStatus(s -> DeploymentConditions.remove(s, PROGRESSING));
    } else if (!wasComplete(status)) {
      judgeProgress(status, settings.progressDeadline().get());
    }
    Optional<DeploymentCondition> failure = failure();
    rollout.changeStatus(
        s ->
            failure
                .map(f -> DeploymentConditions.set(s, f))
                .orElseGet(() -> DeploymentConditions.remove(s, REPLICA_FAILURE)));
    return deadline();
  }

  /** A complete rollout stays complete, even if its pods fail later. */
  private static boolean wasComplete(DeploymentStatus status) {
    return number(status.replicas()) == number(status.updatedReplicas())
        && DeploymentConditions.hasReason(status, PROGRESSING, NEW_SET_AVAILABLE);
  }

  private void judgeProgress(DeploymentStatus status, Duration deadline) {
    if (isComplete(rollout.stored(), status)) {
      set("True", NEW_SET_AVAILABLE, " has successfully progressed.");
    } else if (hasProgressed(status)) {
      // Even with the same reason: the time of the update shows that there was progress.
      DeploymentCondition condition =
          condition(PROGRESSING, "True", SET_UPDATED, rollout.describe() + " is progressing.");
      rollout.changeStatus(s -> DeploymentConditions.replace(s, condition));
    } else if (hasTimedOut(status, deadline)) {
      set("False", TIMED_OUT, " has timed out progressing.");
    }
  }

  private void set(String status, String reason, String message) {
    DeploymentCondition condition =
        condition(PROGRESSING, status, reason, rollout.describe() + message);
    rollout.changeStatus(s -> DeploymentConditions.set(s, condition));
  }

  private boolean hasProgressed(DeploymentStatus status) {
    DeploymentStatus before = rollout.stored().status();
    return number(status.updatedReplicas()) > number(before.updatedReplicas())
        || old(status) < old(before)
        || number(status.readyReplicas()) > number(before.readyReplicas())
        || number(status.availableReplicas()) > number(before.availableReplicas());
  }

  private static int old(DeploymentStatus status) {
    return number(status.replicas()) - number(status.updatedReplicas());
  }

  private boolean hasTimedOut(DeploymentStatus status, Duration deadline) {
    return DeploymentConditions.find(status, PROGRESSING)
        .filter(condition -> !NEW_SET_AVAILABLE.equals(condition.reason()))
        .filter(
            condition ->
                TIMED_OUT.equals(condition.reason())
                    || lastUpdate(condition).plus(deadline).isBefore(now))
        .isPresent();
  }

  private Optional<Instant> deadline() {
    DeploymentStatus status = rollout.status();
    if (settings.progressDeadline().isEmpty()
        || isComplete(rollout.stored(), status)
        || DeploymentConditions.hasReason(status, PROGRESSING, TIMED_OUT)) {
      return Optional.empty();
    }
    Duration deadline = settings.progressDeadline().get();
    // Times in a status have whole seconds, so the deadline passes one second later.
    return DeploymentConditions.find(status, PROGRESSING)
        .map(c -> lastUpdate(c).plus(deadline).plusSeconds(1));
  }

  private Instant lastUpdate(DeploymentCondition condition) {
    Time time = condition.lastUpdateTime();
    return time == null ? now : time.instant();
  }

  /** Returns the failure of a ReplicaSet to create pods; that of the new one counts first. */
  private Optional<DeploymentCondition> failure() {
    ReplicaSet newSet = rollout.newSet();
    Stream<ReplicaSet> sets =
        Stream.concat(newSet == null ? Stream.of() : Stream.of(newSet), rollout.oldSets().stream());
    return sets.map(ReplicaSet::status)
        .filter(Objects::nonNull)
        .map(ReplicaSetStatus::conditions)
        .flatMap(conditions -> conditions.stream())
        .filter(c -> REPLICA_FAILURE.equals(c.type()))
        .findFirst()
        .map(
            c ->
                DeploymentCondition.of(
                    d ->
                        d.type(REPLICA_FAILURE)
                            .status(c.status())
                            .reason(c.reason())
                            .message(c.message())
                            .lastUpdateTime(c.lastTransitionTime())
                            .lastTransitionTime(c.lastTransitionTime())));
  }

  private DeploymentCondition condition(String type, String status, String reason, String message) {
    return DeploymentConditions.of(type, status, reason, message, now);
  }
}
