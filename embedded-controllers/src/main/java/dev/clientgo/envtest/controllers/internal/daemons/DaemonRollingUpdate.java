package dev.clientgo.envtest.controllers.internal.daemons;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.apps.v1.RollingUpdateDaemonSet;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the pods with an old template that go next: all that are not available anyway, and of the
 * others so many that not more than {@code maxUnavailable} nodes are without an available pod.
 *
 * <p>Corresponds to {@code rollingUpdate} in {@code pkg/controller/daemon/update.go}.
 */
final class DaemonRollingUpdate {

  private static final IntOrString DEFAULT_UNAVAILABLE = IntOrString.of(1);

  private final int maxUnavailable;
  private final int minReadySeconds;
  private final String hash;
  private final Instant now;

  /** Creates an instance for one reconcile. */
  DaemonRollingUpdate(DaemonSet set, List<DaemonNode> nodes, String hash, Instant now) {
    int desired = (int) nodes.stream().filter(DaemonNode::shouldRun).count();
    RollingUpdateDaemonSet bounds = set.spec().updateStrategy().rollingUpdate();
    IntOrString unavailable = bounds == null ? null : bounds.maxUnavailable();
    // At least one, or nothing could ever be replaced.
    maxUnavailable =
        Math.max(1, requireNonNullElse(unavailable, DEFAULT_UNAVAILABLE).scaled(desired, true));
    minReadySeconds = requireNonNullElse(set.spec().minReadySeconds(), 0);
    this.hash = hash;
    this.now = now;
  }

  /** Returns the pods to delete. */
  List<Pod> choose(List<DaemonNode> nodes) {
    List<Pod> chosen = new ArrayList<>();
    List<Pod> candidates = new ArrayList<>();
    int unavailable = 0;
    for (DaemonNode node : nodes) {
      if (node.pods().isEmpty()) {
        // The old pod can be gone since the missing pods were created: the next pod must wait.
        unavailable += node.shouldRun() ? 1 : 0;
        continue;
      }
      List<Pod> kept = node.kept();
      Pod old = kept.stream().filter(pod -> !hasTemplate(pod)).findFirst().orElse(null);
      if (kept.size() > 1 || old == null) {
        unavailable += kept.size() == 1 && isAvailable(kept.get(0)) ? 0 : 1;
      } else if (isAvailable(old)) {
        candidates.add(old);
      } else {
        chosen.add(old);
        unavailable++;
      }
    }
    candidates.stream().limit(Math.max(0, maxUnavailable - unavailable)).forEach(chosen::add);
    return chosen;
  }

  private boolean hasTemplate(Pod pod) {
    return hash.equals(pod.metadata().labels().get(DaemonPods.HASH_LABEL));
  }

  private boolean isAvailable(Pod pod) {
    return PodReadiness.isAvailable(pod, minReadySeconds, now);
  }
}
