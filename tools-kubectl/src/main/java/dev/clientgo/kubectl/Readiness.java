package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an object does its work, of whatever kind it is.
 *
 * <p>First comes what controllers of any kind may report: a deletion, {@code
 * status.observedGeneration}, and the conditions Reconciling and Stalled. Then built-in kinds have
 * their own rules. Of the other kinds, an object with a condition Ready is ready when that is True;
 * any other object is ready at once.
 *
 * <p>Corresponds to {@code status.Compute} of kstatus. Unlike kstatus: a job is ready when it is
 * complete, and a pod that has failed is a failure.
 */
final class Readiness {

  private Readiness() {}

  /**
   * Waits until an object is ready.
   *
   * @param object the object as it was applied
   * @return the object when it was ready
   * @throws TimeoutException if it is not ready in time; the message says why
   * @throws ApiStatusException if it is gone, or can no longer become ready
   */
  static Unstructured await(
      ResourceClient<Unstructured> client, String name, Unstructured object, Duration timeout)
      throws InterruptedException, TimeoutException {
    if (status(object).succeeded()) {
      return object;
    }
    String late = "not ready after " + timeout.toMillis() + " ms: ";
    return Rollout.await(client, name, timeout, Readiness::status, late);
  }

  /** Returns how far an object has come; a deletion is never done. */
  static Rollout.Status status(Unstructured object) {
    if (object.metadata().isBeingDeleted()) {
      return Rollout.Status.waiting("it is being deleted");
    }
    Long generation = object.metadata().generation();
    Long observed = object.nestedLong("status", "observedGeneration").orElse(null);
    if (generation != null && observed != null && observed < generation) {
      return Rollout.Status.waiting(
          "its controller has seen generation " + observed + ", not " + generation);
    } else if (is(object, "Reconciling", "True")) {
      return Rollout.Status.waiting(condition(object, "Reconciling"));
    } else if (is(object, "Stalled", "True")) {
      return Rollout.Status.failure(condition(object, "Stalled"));
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
  private static Rollout.Status rollout(Unstructured object) {
    return object.nestedString("spec", "updateStrategy", "type").orElse("").equals("OnDelete")
        ? Rollout.Status.complete("its pods are replaced when somebody deletes them")
        : Rollout.status(object);
  }

  private static Rollout.Status replicaSet(Unstructured object) {
    if (is(object, "ReplicaFailure", "True")) {
      return Rollout.Status.waiting(condition(object, "ReplicaFailure"));
    }
    long wanted = object.nestedLong("spec", "replicas").orElse(1L);
    for (String count : List.of("fullyLabeledReplicas", "availableReplicas", "readyReplicas")) {
      long there = object.nestedLong("status", count).orElse(0L);
      if (there < wanted) {
        return Rollout.Status.waiting(count + " is " + there + " of " + wanted);
      }
    }
    long all = object.nestedLong("status", "replicas").orElse(0L);
    return all > wanted
        ? Rollout.Status.waiting(all - wanted + " pods are still to end")
        : Rollout.Status.complete("all replicas are available");
  }

  private static Rollout.Status definition(Unstructured object) {
    if (is(object, "NamesAccepted", "False")) {
      return Rollout.Status.failure(condition(object, "NamesAccepted"));
    }
    return is(object, "Established", "True")
        ? Rollout.Status.complete("it is established")
        : Rollout.Status.waiting("it is not established");
  }

  private static Rollout.Status pod(Unstructured object) {
    String phase = object.nestedString("status", "phase").orElse("");
    if (phase.equals("Failed")) {
      return Rollout.Status.failure("pod " + object.metadata().name() + " has failed");
    } else if (phase.equals("Succeeded") || is(object, "Ready", "True")) {
      return Rollout.Status.complete("the pod is ready, or has succeeded");
    }
    return Rollout.Status.waiting(
        is(object, "PodScheduled", "False")
            ? condition(object, "PodScheduled")
            : condition(object, "Ready"));
  }

  private static Rollout.Status claim(Unstructured object) {
    String phase = object.nestedString("status", "phase").orElse("unknown");
    return phase.equals("Bound")
        ? Rollout.Status.complete("the claim is bound")
        : Rollout.Status.waiting("the claim is not bound, its phase is " + phase);
  }

  private static Rollout.Status job(Unstructured object) {
    if (is(object, "Failed", "True")) {
      return Rollout.Status.failure("job " + object.metadata().name() + " has failed");
    }
    return is(object, "Complete", "True")
        ? Rollout.Status.complete("the job is complete")
        : Rollout.Status.waiting("the job is not complete");
  }

  private static Rollout.Status other(Unstructured object) {
    return find(object, "Ready").isEmpty() || is(object, "Ready", "True")
        ? Rollout.Status.complete("it is ready")
        : Rollout.Status.waiting(condition(object, "Ready"));
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
}
