package dev.clientgo.envtest.controllers.internal.workloads;

import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import java.util.List;
import java.util.Objects;

/**
 * The strategy that replaces pods step by step: the new ReplicaSet grows while there are less than
 * {@code replicas + maxSurge} pods, and the old ones shrink while more than {@code replicas -
 * maxUnavailable} pods are available. Each reconcile takes one step.
 *
 * <p>Corresponds to {@code pkg/controller/deployment/rolling.go}.
 */
final class RollingUpdate {

  private final Rollout rollout;
  private final DeploymentSettings settings;

  RollingUpdate(Rollout rollout) {
    this.rollout = rollout;
    this.settings = rollout.settings();
  }

  /** Takes a step. */
  void run() throws InterruptedException {
    rollout.createNewSet();
    if (growNew() || shrinkOld()) {
      return;
    }
    if (DeploymentProgress.isComplete(rollout.stored())) {
      rollout.cleanUp();
    }
  }

  private boolean growNew() throws InterruptedException {
    ReplicaSet set = Objects.requireNonNull(rollout.newSet(), "newSet");
    int size = ReplicaSets.replicas(set);
    return rollout.scale(
        set, size > settings.replicas() ? settings.replicas() : rollout.rollingSize(size));
  }

  private boolean shrinkOld() throws InterruptedException {
    ReplicaSet newSet = Objects.requireNonNull(rollout.newSet(), "newSet");
    int minAvailable = settings.replicas() - settings.maxUnavailable();
    int newUnavailable = ReplicaSets.replicas(newSet) - ReplicaSets.available(List.of(newSet));
    // New pods that are not available yet must not make room for less old ones.
    int most = ReplicaSets.wanted(rollout.allSets()) - minAvailable - newUnavailable;
    if (most <= 0 || ReplicaSets.wanted(rollout.oldSets()) == 0) {
      return false;
    }
    int unhealthy = removeUnhealthy(most);
    return unhealthy + removeHealthy(minAvailable) > 0;
  }

  /** Old pods that are not available go first: that makes nothing worse. */
  private int removeUnhealthy(int most) throws InterruptedException {
    int removed = 0;
    for (ReplicaSet set : rollout.oldSets()) {
      int size = ReplicaSets.replicas(set);
      int count = Math.min(most - removed, size - ReplicaSets.available(List.of(set)));
      if (count > 0 && size > 0) {
        rollout.scale(set, size - count);
        removed += count;
      }
    }
    return removed;
  }

  private int removeHealthy(int minAvailable) throws InterruptedException {
    int most = ReplicaSets.available(rollout.allSets()) - minAvailable;
    int removed = 0;
    for (ReplicaSet set : rollout.oldSets()) {
      int size = ReplicaSets.replicas(set);
      int count = Math.min(most - removed, size);
      if (count > 0) {
        rollout.scale(set, size - count);
        removed += count;
      }
    }
    return removed;
  }
}
