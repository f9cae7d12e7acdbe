package dev.clientgo.envtest.controllers.internal.pods;

import static dev.clientgo.envtest.controllers.internal.pods.PodReadiness.isActive;
import static dev.clientgo.envtest.controllers.internal.pods.PodReadiness.isReady;
import static dev.clientgo.envtest.controllers.internal.pods.PodReadiness.phase;
import static java.util.Comparator.comparing;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The order in which a ReplicaSet with too many pods deletes them. The first rule that
 * distinguishes two pods decides:
 *
 * <ol>
 *   <li>a pod without a node before one with a node,
 *   <li>Pending before Unknown before Running,
 *   <li>not ready before ready,
 *   <li>the lower annotation {@code controller.kubernetes.io/pod-deletion-cost} first,
 *   <li>the pod on the node with more pods of the same workload first,
 *   <li>ready for a shorter time first, in powers of two of the time,
 *   <li>more restarts first,
 *   <li>younger first, in powers of two of the age.
 * </ol>
 *
 * <p>Pods whose times have the same power of two are ordered by their uid, so the choice among them
 * is arbitrary but stable. Corresponds to {@code controller.ActivePodsWithRanks}.
 */
public final class ActivePodsWithRanks {

  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  private ActivePodsWithRanks() {}

  /**
   * Returns the order, from the first pod to delete to the last.
   *
   * @param related all pods of the workload, by which nodes are ranked
   */
  public static Comparator<Pod> deletionOrder(Collection<Pod> related, Instant now) {
    Map<String, Integer> podsOnNode = new HashMap<>();
    related.stream()
        .filter(pod -> isActive(pod))
        .forEach(pod -> podsOnNode.merge(node(pod), 1, Integer::sum));
    return comparing((Pod pod) -> !node(pod).isEmpty())
        .thenComparing(ActivePodsWithRanks::phaseRank)
        .thenComparing(pod -> isReady(pod))
        .thenComparing(ActivePodsWithRanks::deletionCost)
        .thenComparing(pod -> -podsOnNode.getOrDefault(node(pod), 0))
        .thenComparing(byAge(PodReadiness::readySince, now))
        .thenComparing(pod -> -restarts(pod))
        .thenComparing(byAge(ActivePodsWithRanks::created, now));
  }

  private static String node(Pod pod) {
    return Objects.requireNonNullElse(pod.spec().nodeName(), "");
  }

  private static int phaseRank(Pod pod) {
    return switch (phase(pod).value()) {
      case "Pending" -> 0;
      case "Unknown" -> 1;
      default -> 2;
    };
  }

  private static int deletionCost(Pod pod) {
    String cost = pod.metadata().annotation(DELETION_COST).orElse("");
    return cost.matches("0|-?[1-9][0-9]{0,8}") ? Integer.parseInt(cost) : 0;
  }

  private static int restarts(Pod pod) {
    return pod.status().containerStatuses().stream()
        .mapToInt(container -> Objects.requireNonNullElse(container.restartCount(), 0))
        .max()
        .orElse(0);
  }

  private static Optional<Instant> created(Pod pod) {
    return Optional.ofNullable(pod.metadata().creationTimestamp()).map(Time::instant);
  }

  /** Orders by a time: an absent one first, then the youngest, by the logarithm of the age. */
  private static Comparator<Pod> byAge(
      java.util.function.Function<Pod, Optional<Instant>> time, Instant now) {
    return (a, b) -> {
      Optional<Instant> first = time.apply(a);
      Optional<Instant> second = time.apply(b);
      if (first.equals(second)) {
        return 0;
      }
      if (first.isEmpty() || second.isEmpty()) {
        return first.isEmpty() ? -1 : 1;
      }
      int order = Integer.compare(magnitude(first.get(), now), magnitude(second.get(), now));
      return order != 0 ? order : uid(a).compareTo(uid(b));
    };
  }

  private static int magnitude(Instant time, Instant now) {
    long age = Duration.between(time, now).toNanos();
    return age <= 0 ? -1 : 63 - Long.numberOfLeadingZeros(age);
  }

  private static String uid(Pod pod) {
    return Objects.requireNonNullElse(pod.metadata().uid(), "");
  }
}
