package dev.clientgo.envtest.controllers.internal.daemons;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.envtest.controllers.internal.nodes.NodeFit;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node as a DaemonSet sees it.
 *
 * @param shouldRun whether the set wants a pod here
 * @param mayStay whether a pod that is here may stay: also on a node that got a taint with the
 *     effect {@code NoSchedule}
 * @param pods the pods of the set that are made for this node, those with a node and the oldest
 *     first
 */
record DaemonNode(String name, boolean shouldRun, boolean mayStay, List<Pod> pods) {

  private static final Comparator<Pod> BY_AGE =
      comparing((Pod pod) -> requireNonNullElse(pod.spec().nodeName(), "").isEmpty())
          .thenComparing(pod -> pod.metadata().creationTimestamp(), nullsFirst(naturalOrder()))
          .thenComparing(pod -> String.valueOf(pod.metadata().name()));

  /**
   * Returns all nodes.
   *
   * <p>Corresponds to {@code NodeShouldRunDaemonPod}.
   */
  static List<DaemonNode> of(DaemonSet set, List<Node> nodes, List<Pod> pods) {
    Map<String, List<Pod>> byNode =
        pods.stream()
            .filter(pod -> !(pod.metadata().isBeingDeleted() && PodReadiness.hasEnded(pod)))
            .sorted(BY_AGE)
            .collect(Collectors.groupingBy(DaemonPods::nodeOf));
    PodSpec spec = DaemonPods.spec(set);
    return nodes.stream()
        .sorted(comparing(node -> String.valueOf(node.metadata().name())))
        .map(
            node ->
                of(
                    spec,
                    node,
                    byNode.getOrDefault(String.valueOf(node.metadata().name()), List.of())))
        .toList();
  }

  private static DaemonNode of(PodSpec spec, Node node, List<Pod> pods) {
    String name = String.valueOf(node.metadata().name());
    String only = requireNonNullElse(spec.nodeName(), "");
    boolean selected = (only.isEmpty() || only.equals(name)) && NodeFit.isSelected(spec, node);
    return new DaemonNode(
        name,
        selected && NodeFit.toleratesAll(spec, node, List.of("NoSchedule", "NoExecute")),
        selected && NodeFit.toleratesAll(spec, node, List.of("NoExecute")),
        pods);
  }

  /** Returns the pods that are not being deleted. */
  List<Pod> kept() {
    return pods.stream().filter(pod -> !pod.metadata().isBeingDeleted()).toList();
  }
}
