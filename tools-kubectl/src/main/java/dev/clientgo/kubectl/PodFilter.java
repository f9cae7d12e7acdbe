package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which pods may be removed from a node, as kubectl's filters of the same names do.
 *
 * @param ignoreDaemonSets whether pods of daemon sets are left instead of refused
 * @param deleteEmptyDirData whether pods with local data are removed instead of refused
 * @param force whether pods without a controller are removed instead of refused
 */
record PodFilter(boolean ignoreDaemonSets, boolean deleteEmptyDirData, boolean force) {

  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final GroupVersionResource DAEMON_SETS =
      new GroupVersionResource("apps", "v1", "daemonsets");

  /** Whether the drain evicts a pod, leaves it, or refuses to begin. */
  enum Action {
    REMOVE,
    SKIP,
    REFUSE
  }

  /** The decision about a pod, and why. */
  record Verdict(Action action, String reason) {}

  private static final Verdict REMOVE = new Verdict(Action.REMOVE, "");

  /** Asks whether an object exists. */
  @FunctionalInterface
  interface Existence {
    boolean test(GroupVersionResource resource, String namespace, String name)
        throws InterruptedException;
  }

  Verdict judge(Unstructured pod, Existence existence) throws InterruptedException {
    if (pod.metadata().annotation(MIRROR).isPresent()) {
      return new Verdict(Action.SKIP, "a mirror pod, which the kubelet runs from a file");
    } else if (hasEnded(pod)) {
      return REMOVE;
    }
    Optional<OwnerReference> controller = pod.metadata().controller();
    if (controller.isPresent() && "DaemonSet".equals(controller.get().kind())) {
      return daemonPod(pod, controller.get(), existence);
    } else if (hasLocalData(pod) && !deleteEmptyDirData) {
      return new Verdict(
          Action.REFUSE, "has data in an emptyDir: allow to lose it by deleteEmptyDirData()");
    } else if (controller.isEmpty() && !force) {
      return new Verdict(
          Action.REFUSE, "has no controller that starts it again: remove it by force()");
    }
    return REMOVE;
  }

  private Verdict daemonPod(Unstructured pod, OwnerReference controller, Existence existence)
      throws InterruptedException {
    String namespace = String.valueOf(pod.metadata().namespace());
    boolean exists;
    try {
      exists = existence.test(DAEMON_SETS, namespace, String.valueOf(controller.name()));
    } catch (KubernetesException e) {
      return new Verdict(Action.REFUSE, "cannot read its daemon set: " + e.getMessage());
    }
    if (!exists) {
      return force
          ? REMOVE
          : new Verdict(Action.REFUSE, "its daemon set is gone: remove it by force()");
    }
    return ignoreDaemonSets
        ? new Verdict(Action.SKIP, "a pod of a daemon set, which would start it again")
        : new Verdict(Action.REFUSE, "is of a daemon set: leave it by ignoreDaemonSets()");
  }

  private static boolean hasEnded(Unstructured pod) {
    String phase = pod.nestedString("status", "phase").orElse("");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  private static boolean hasLocalData(Unstructured pod) {
    return pod.nestedList("spec", "volumes").orElse(List.of()).stream()
        .anyMatch(each -> each instanceof Map<?, ?> volume && volume.get("emptyDir") != null);
  }
}
