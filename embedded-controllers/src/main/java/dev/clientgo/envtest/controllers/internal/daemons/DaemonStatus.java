package dev.clientgo.envtest.controllers.internal.daemons;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.apps.v1.DaemonSetStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the nodes of a DaemonSet for its status: on each, the first pod speaks for all. */
final class DaemonStatus {

  private DaemonStatus() {}

  /** Returns the status. */
  static DaemonSetStatus of(
      DaemonSet set,
      List<DaemonNode> nodes,
      String hash,
      @Nullable Integer collisions,
      Instant now) {
    List<DaemonNode> wanted = nodes.stream().filter(DaemonNode::shouldRun).toList();
    List<Pod> first = wanted.stream().flatMap(node -> node.pods().stream().limit(1)).toList();
    int minReadySeconds = requireNonNullElse(set.spec().minReadySeconds(), 0);
    int available = count(first, pod -> PodReadiness.isAvailable(pod, minReadySeconds, now));
    int updated =
        count(first, pod -> hash.equals(pod.metadata().labels().get(DaemonPods.HASH_LABEL)));
    int misscheduled = count(nodes, node -> !node.shouldRun() && !node.pods().isEmpty());
    return set.status()
        .with(
            s ->
                s.observedGeneration(set.metadata().generation())
                    .desiredNumberScheduled(wanted.size())
                    .currentNumberScheduled(first.size())
                    .numberMisscheduled(misscheduled)
                    .numberReady(count(first, PodReadiness::isReady))
                    .updatedNumberScheduled(OmitEmpty.zero(updated))
                    .numberAvailable(OmitEmpty.zero(available))
                    .numberUnavailable(OmitEmpty.zero(wanted.size() - available))
                    .collisionCount(collisions));
  }

  private static <T> int count(List<T> all, Predicate<T> condition) {
    return (int) all.stream().filter(condition).count();
  }
}
