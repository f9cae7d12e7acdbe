package dev.clientgo.envtest.controllers.internal.pods;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodCondition;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether pods are active, ready and available, as the controllers of workloads count them.
 *
 * <p>Corresponds to the functions of {@code k8s.io/kubernetes/pkg/api/v1/pod}.
 */
public final class PodReadiness {

  private PodReadiness() {}

  /** Returns the phase of a pod; that of a pod without a status is Pending. */
  public static PodPhase phase(Pod pod) {
    return requireNonNullElse(pod.status().phase(), PodPhase.PENDING);
  }

  /** Returns whether all containers of a pod have ended and will not start again. */
  public static boolean hasEnded(Pod pod) {
    PodPhase phase = phase(pod);
    return phase.equals(PodPhase.SUCCEEDED) || phase.equals(PodPhase.FAILED);
  }

  /** Returns whether a pod counts as a replica: it has not ended and is not being deleted. */
  public static boolean isActive(Pod pod) {
    return !hasEnded(pod) && !pod.metadata().isBeingDeleted();
  }

  /** Returns whether a pod is being deleted and has not ended. */
  public static boolean isTerminating(Pod pod) {
    return !hasEnded(pod) && pod.metadata().isBeingDeleted();
  }

  /** Returns whether the condition Ready of a pod is True. */
  public static boolean isReady(Pod pod) {
    return readyCondition(pod).isPresent();
  }

  /** Returns since when a pod is ready, empty if it is not. */
  public static Optional<Instant> readySince(Pod pod) {
    return readyCondition(pod).map(PodCondition::lastTransitionTime).map(Time::instant);
  }

  private static Optional<PodCondition> readyCondition(Pod pod) {
    return pod.status().conditions().stream()
        .filter(condition -> "Ready".equals(condition.type()) && "True".equals(condition.status()))
        .findFirst();
  }

  /** Returns whether a pod has been ready for that many seconds. */
  public static boolean isAvailable(Pod pod, int minReadySeconds, Instant now) {
    if (minReadySeconds == 0) {
      return isReady(pod);
    }
    return readySince(pod)
        .filter(since -> !since.plusSeconds(minReadySeconds).isAfter(now))
        .isPresent();
  }

  /** Returns when the next of the pods becomes available, empty if none will by itself. */
  public static Optional<Instant> nextAvailable(
      Collection<Pod> pods, int minReadySeconds, Instant now) {
    return pods.stream()
        .filter(pod -> !isAvailable(pod, minReadySeconds, now))
        .flatMap(pod -> readySince(pod).stream())
        .map(since -> since.plusSeconds(minReadySeconds))
        .min(Instant::compareTo);
  }
}
