package dev.clientgo.apimachinery.readiness;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an object does its work, of whatever kind it is, and if not, why.
 *
 * <pre>{@code
 * Readiness.of(deployment); // waiting: 1 of 2 updated replicas are available...
 * }</pre>
 *
 * <p>First comes what controllers of any kind may report: a deletion, {@code
 * status.observedGeneration}, and the conditions Reconciling and Stalled. Then built-in kinds have
 * their own rules: Deployment, StatefulSet, DaemonSet, ReplicaSet, Pod, Job, PersistentVolumeClaim,
 * CustomResourceDefinition. Of the other kinds, an object with a condition Ready is ready when that
 * is True, and not of an earlier generation; any other object is ready at once.
 *
 * <p>Immutable. Corresponds to {@code status.Compute} of kstatus. Unlike kstatus: a job is ready
 * when it is complete, a pod that has failed is a failure, and the {@code observedGeneration} of
 * the condition Ready counts.
 */
public final class Readiness {

  private final boolean ready;
  private final boolean failed;
  private final String message;

  private Readiness(boolean ready, boolean failed, String message) {
    this.ready = ready;
    this.failed = failed;
    this.message = requireNonNull(message, "message");
  }

  private static Readiness ready(String message) {
    return new Readiness(true, false, message);
  }

  private static Readiness failure(String message) {
    return new Readiness(false, true, message);
  }

  private static Readiness waiting(String message) {
    return new Readiness(false, false, message);
  }

  /** Returns whether the object does its work. */
  public boolean isReady() {
    return ready;
  }

  /** Returns whether the object cannot become ready without a change. */
  public boolean isFailed() {
    return failed;
  }

  /** Returns the reason, for people. */
  public String message() {
    return message;
  }

  /** Returns how far an object has come; a deletion is never done. */
  public static Readiness of(Unstructured object) {
    if (object.metadata().isBeingDeleted()) {
      return waiting("it is being deleted");
    }
    Long generation = object.metadata().generation();
    Long observed = object.nestedLong("status", "observedGeneration").orElse(null);
    if (generation != null && observed != null && observed < generation) {
      return waiting("its controller has seen generation " + observed + ", not " + generation);
    } else if (is(object, "Reconciling", "True")) {
      return waiting(condition(object, "Reconciling"));
    } else if (is(object, "Stalled", "True")) {
      return failure(condition(object, "Stalled"));
    }
    GroupKind kind = object.groupVersionKind().groupKind();
    return switch (kind.toString()) {
      case "Deployment.apps", "StatefulSet.apps", "DaemonSet.apps" -> rollout(object);
      case "ReplicaSet.apps" -> replicaSet(object);
      case "CustomResourceDefinition.apiextensions.k8s.io" -> definition(object);
      case "Pod" -> pod(object);
      case "PersistentVolumeClaim" -> claim(object);
      case "Job.batch" -> job(object);
      default -> other(object);
    };
  }

  /** Pods that a person deletes to replace them are not awaited. */
  private static Readiness rollout(Unstructured object) {
    return object.nestedString("spec", "updateStrategy", "type").orElse("").equals("OnDelete")
        ? ready("its pods are replaced when somebody deletes them")
        : ofRollout(object);
  }

  private static Readiness replicaSet(Unstructured object) {
    if (is(object, "ReplicaFailure", "True")) {
      return waiting(condition(object, "ReplicaFailure"));
    }
    long wanted = object.nestedLong("spec", "replicas").orElse(1L);
    for (String count : List.of("fullyLabeledReplicas", "availableReplicas", "readyReplicas")) {
      long there = object.nestedLong("status", count).orElse(0L);
      if (there < wanted) {
        return waiting(count + " is " + there + " of " + wanted);
      }
    }
    long all = object.nestedLong("status", "replicas").orElse(0L);
    return all > wanted
        ? waiting(all - wanted + " pods are still to end")
        : ready("all replicas are available");
  }

  private static Readiness definition(Unstructured object) {
    if (is(object, "NamesAccepted", "False")) {
      return failure(condition(object, "NamesAccepted"));
    }
    return is(object, "Established", "True")
        ? ready("it is established")
        : waiting("it is not established");
  }

  private static Readiness pod(Unstructured object) {
    String phase = object.nestedString("status", "phase").orElse("");
    if (phase.equals("Failed")) {
      return failure("pod " + object.metadata().name() + " has failed");
    } else if (phase.equals("Succeeded") || is(object, "Ready", "True")) {
      return ready("the pod is ready, or has succeeded");
    }
    return waiting(
        is(object, "PodScheduled", "False")
            ? condition(object, "PodScheduled")
            : condition(object, "Ready"));
  }

  private static Readiness claim(Unstructured object) {
    String phase = object.nestedString("status", "phase").orElse("unknown");
    return phase.equals("Bound")
        ? ready("the claim is bound")
        : waiting("the claim is not bound, its phase is " + phase);
  }

  private static Readiness job(Unstructured object) {
    if (is(object, "Failed", "True")) {
      return failure("job " + object.metadata().name() + " has failed");
    }
    return is(object, "Complete", "True")
        ? ready("the job is complete")
        : waiting("the job is not complete");
  }

  private static Readiness other(Unstructured object) {
    Object seen = find(object, "Ready").<Object>map(c -> c.get("observedGeneration")).orElse(null);
    Long generation = object.metadata().generation();
    if (generation != null && seen instanceof Number number && number.longValue() < generation) {
      return waiting("condition Ready is of generation " + seen + ", not " + generation);
    }
    return find(object, "Ready").isEmpty() || is(object, "Ready", "True")
        ? ready("it is ready")
        : waiting(condition(object, "Ready"));
  }

  private static boolean is(Unstructured object, String type, String status) {
    return find(object, type).filter(each -> status.equals(each.get("status"))).isPresent();
  }

  /** Returns a condition for a message: {@code Ready is False: MinimumNotMet: 1 of 3}. */
  private static String condition(Unstructured object, String type) {
    Map<?, ?> found = find(object, type).orElse(Map.of());
    return "condition "
        + type
        + " is "
        + (found.isEmpty() ? "missing" : found.get("status"))
        + detail(found.get("reason"))
        + detail(found.get("message"));
  }

  private static String detail(@Nullable Object text) {
    return text == null || text.equals("") ? "" : ": " + text;
  }

  private static Optional<Map<?, ?>> find(Unstructured object, String type) {
    for (Object each : object.nestedList("status", "conditions").orElse(List.of())) {
      if (each instanceof Map<?, ?> condition && type.equals(condition.get("type"))) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns how far the rollout of a workload has come, in the words of {@code kubectl rollout
   * status}.
   *
   * @throws IllegalArgumentException if the object is no Deployment, StatefulSet or DaemonSet, or
   *     its pods are replaced on deletion only
   */
  public static Readiness ofRollout(Unstructured object) {
    return switch (object.groupVersionKind().groupKind().toString()) {
      case "Deployment.apps" -> deployment(object);
      case "StatefulSet.apps" -> statefulSet(object);
      case "DaemonSet.apps" -> daemonSet(object);
      default ->
          throw new IllegalArgumentException(
              object.kind() + " has no rollout: name a Deployment, StatefulSet or DaemonSet");
    };
  }

  private static Readiness deployment(Unstructured object) {
    String name = object.metadata().name();
    if (!isObserved(object)) {
      return waiting("Waiting for deployment spec update to be observed...");
    } else if (hasMissedDeadline(object)) {
      return failure("deployment \"" + name + "\" exceeded its progress deadline");
    }
    // Absent, a server sets it to 1.
    long wanted = object.nestedLong("spec", "replicas").orElse(1L);
    long updated = count(object, "updatedReplicas");
    long replicas = count(object, "replicas");
    long available = count(object, "availableReplicas");
    String waiting = "Waiting for deployment \"" + name + "\" rollout to finish: ";
    if (updated < wanted) {
      return waiting(
          waiting + updated + " out of " + wanted + " new replicas have been updated...");
    } else if (replicas > updated) {
      return waiting(waiting + (replicas - updated) + " old replicas are pending termination...");
    } else if (available < updated) {
      return waiting(waiting + available + " of " + updated + " updated replicas are available...");
    }
    return ready("deployment \"" + name + "\" successfully rolled out");
  }

  private static boolean hasMissedDeadline(Unstructured object) {
    return object.nestedList("status", "conditions").stream()
        .flatMap(conditions -> conditions.stream())
        .anyMatch(
            each ->
                each instanceof Map<?, ?> condition
                    && "Progressing".equals(condition.get("type"))
                    && "ProgressDeadlineExceeded".equals(condition.get("reason")));
  }

  private static Readiness statefulSet(Unstructured object) {
    requireRollingUpdate(object);
    long observed = count(object, "observedGeneration");
    if (observed == 0 || !isObserved(object)) {
      return waiting("Waiting for statefulset spec update to be observed...");
    }
    long wanted = object.nestedLong("spec", "replicas").orElse(1L);
    long ready = count(object, "readyReplicas");
    long updated = count(object, "updatedReplicas");
    long partition =
        object.nestedLong("spec", "updateStrategy", "rollingUpdate", "partition").orElse(0L);
    if (ready < wanted) {
      return waiting("Waiting for " + (wanted - ready) + " pods to be ready...");
    } else if (partition > 0) {
      long some = wanted - partition;
      return updated < some
          ? waiting(
              "Waiting for partitioned roll out to finish: "
                  + (updated + " out of " + some + " new pods have been updated..."))
          : ready("partitioned roll out complete: " + updated + " new pods have been updated...");
    }
    String revision = object.nestedString("status", "updateRevision").orElse("");
    String pods = updated + " pods at revision " + revision + "...";
    return revision.equals(object.nestedString("status", "currentRevision").orElse(""))
        ? ready("statefulset rolling update complete " + pods)
        : waiting("waiting for statefulset rolling update to complete " + pods);
  }

  private static Readiness daemonSet(Unstructured object) {
    requireRollingUpdate(object);
    if (!isObserved(object)) {
      return waiting("Waiting for daemon set spec update to be observed...");
    }
    long wanted = count(object, "desiredNumberScheduled");
    long updated = count(object, "updatedNumberScheduled");
    long available = count(object, "numberAvailable");
    String name = object.metadata().name();
    String waiting = "Waiting for daemon set \"" + name + "\" rollout to finish: ";
    if (updated < wanted) {
      return waiting(waiting + updated + " out of " + wanted + " new pods have been updated...");
    } else if (available < wanted) {
      return waiting(waiting + available + " of " + wanted + " updated pods are available...");
    }
    return ready("daemon set \"" + name + "\" successfully rolled out");
  }

  private static void requireRollingUpdate(Unstructured object) {
    String strategy = object.nestedString("spec", "updateStrategy", "type").orElse("RollingUpdate");
    if (!strategy.equals("RollingUpdate")) {
      throw new IllegalArgumentException(
          "rollout status is only available for RollingUpdate strategy type, not " + strategy);
    }
  }

  private static boolean isObserved(Unstructured object) {
    Long generation = object.metadata().generation();
    return generation == null || count(object, "observedGeneration") >= generation;
  }

  private static long count(Unstructured object, String field) {
    return object.nestedLong("status", field).orElse(0L);
  }

  @Override
  public String toString() {
    return (ready ? "ready: " : failed ? "failed: " : "waiting: ") + message;
  }
}
