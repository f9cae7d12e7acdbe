package dev.clientgo.envtest.controllers.internal.workloads;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The strategy that ends all old pods before it creates the first new one.
 *
 * <p>Corresponds to {@code pkg/controller/deployment/recreate.go}.
 */
final class Recreate {

  private final Rollout rollout;

  /** The pods of the Deployment's namespace. */
  private final Collection<Pod> pods;

  Recreate(Rollout rollout, Collection<Pod> pods) {
    this.rollout = rollout;
    this.pods = pods;
  }

  /** Takes a step. */
  void run() throws InterruptedException {
    boolean scaledDown = false;
    for (ReplicaSet old : rollout.oldSets()) {
      scaledDown |= rollout.scale(old, 0);
    }
    if (scaledDown || oldPodsRun()) {
      return;
    }
    rollout.createNewSet();
    ReplicaSet newSet = Objects.requireNonNull(rollout.newSet(), "newSet");
    rollout.scale(newSet, rollout.settings().replicas());
    if (DeploymentProgress.isComplete(rollout.stored())) {
      rollout.cleanUp();
    }
  }

  /** Pods that are being deleted still run, though their ReplicaSet no longer counts them. */
  private boolean oldPodsRun() {
    List<ReplicaSet> old = rollout.oldSets();
    return ReplicaSets.actual(old) > 0
        || pods.stream()
            .filter(pod -> !PodReadiness.hasEnded(pod))
            .anyMatch(pod -> old.stream().anyMatch(s -> OwnerReferences.isControlledBy(pod, s)));
  }
}
