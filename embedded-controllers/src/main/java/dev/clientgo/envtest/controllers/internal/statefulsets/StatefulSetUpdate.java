package dev.clientgo.envtest.controllers.internal.statefulsets;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.envtest.controllers.internal.pods.PodControl;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.SlowStart;
import dev.clientgo.kubernetes.apps.v1.PodManagementPolicyType;
import dev.clientgo.kubernetes.apps.v1.RollingUpdateStatefulSetStrategy;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.apps.v1.StatefulSetUpdateStrategyType;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One step towards the pods that a StatefulSet wants: creates those that are missing, then deletes
 * those that are too many, then replaces one with an old template.
 *
 * <p>In order, which is the default, each pod waits until the one before it is available, and pods
 * go one by one, the highest ordinal first. {@code Parallel} does not wait.
 *
 * <p>Corresponds to {@code updateStatefulSet} in {@code
 * pkg/controller/statefulset/stateful_set_control.go}.
 */
final class StatefulSetUpdate {

  /** Looks after one pod; returns whether the next one may follow. */
  @FunctionalInterface
  private interface Step {
    boolean run(int index) throws InterruptedException;
  }

  private final StatefulSet set;
  private final TemplateVersions versions;
  private final VolumeClaims claims;
  private final PodControl control;
  private final Instant now;
  private final Optional<RollingUpdateStatefulSetStrategy> bounds;

  StatefulSetUpdate(
      StatefulSet set,
      TemplateVersions versions,
      VolumeClaims claims,
      PodControl control,
      Instant now) {
    this.set = set;
    this.versions = versions;
    this.claims = claims;
    this.control = control;
    this.now = now;
    this.bounds = set.spec().updateStrategy().findRollingUpdate();
  }

  /**
   * Takes the step.
   *
   * @param pods the pods of the set
   */
  void run(List<Pod> pods) throws InterruptedException {
    Map<Integer, Pod> wanted = new HashMap<>();
    pods.stream()
        .filter(pod -> StatefulPods.isWanted(pod, set))
        .forEach(pod -> wanted.put(StatefulPods.ordinal(pod), pod));
    List<Pod> condemned =
        pods.stream()
            .filter(pod -> !StatefulPods.isWanted(pod, set))
            .sorted(comparing((Pod pod) -> StatefulPods.ordinal(pod)).reversed())
            .toList();
    int first = StatefulPods.start(set);
    if (!forEach(StatefulPods.replicas(set), index -> keep(wanted, first + index))) {
      return;
    }
    for (Pod pod : condemned) {
      claims.own(pod);
    }
    if (forEach(condemned.size(), index -> condemn(condemned, index)) && !isOnDelete()) {
      replaceOld(wanted);
    }
  }

  private boolean forEach(int count, Step step) throws InterruptedException {
    if (PodManagementPolicyType.PARALLEL.equals(set.spec().podManagementPolicy())) {
      SlowStart.run(count, step::run);
      return true;
    }
    for (int index = 0; index < count; index++) {
      if (!step.run(index)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAvailable(Pod pod) {
    int minReadySeconds = requireNonNullElse(set.spec().minReadySeconds(), 0);
    return PodReadiness.isActive(pod) && PodReadiness.isAvailable(pod, minReadySeconds, now);
  }

  /* --------------- Pods that the set wants --------------- */

  private boolean keep(Map<Integer, Pod> pods, int ordinal) throws InterruptedException {
    Pod pod = pods.get(ordinal);
    if (pod == null) {
      create(ordinal);
      return false;
    }
    if (PodReadiness.hasEnded(pod)) {
      if (!pod.metadata().isBeingDeleted()) {
        control.delete(pod);
      }
      return false;
    }
    if (PodReadiness.phase(pod).equals(PodPhase.PENDING)) {
      claims.create(pod);
    }
    claims.own(pod);
    control.edit(pod, p -> StatefulPods.withIdentity(p, set));
    return isAvailable(pod);
  }

  private void create(int ordinal) throws InterruptedException {
    boolean old = !isOnDelete() && ordinal < StatefulPods.start(set) + partition();
    Pod pod = old ? versions.newCurrentPod(set, ordinal) : versions.newUpdatedPod(set, ordinal);
    if (!claims.areStale(pod)) {
      claims.create(pod);
      claims.own(pod);
      control.create(pod);
    }
  }

  /* --------------- Pods that are too many --------------- */

  /** Of several pods that are not available, only the one with the lowest ordinal may go. */
  private boolean condemn(List<Pod> condemned, int index) throws InterruptedException {
    Pod pod = condemned.get(index);
    boolean mayGo =
        isParallel()
            || isAvailable(pod)
            || condemned.subList(index + 1, condemned.size()).stream().allMatch(this::isAvailable);
    if (mayGo && !pod.metadata().isBeingDeleted()) {
      control.delete(pod);
    }
    return false;
  }

  private boolean isParallel() {
    return PodManagementPolicyType.PARALLEL.equals(set.spec().podManagementPolicy());
  }

  /* --------------- Pods with an old template --------------- */

  private boolean isOnDelete() {
    return StatefulSetUpdateStrategyType.ON_DELETE.equals(set.spec().updateStrategy().type());
  }

  /** Returns how many of the lowest ordinals keep their template. */
  private int partition() {
    return bounds.map(RollingUpdateStatefulSetStrategy::partition).orElse(0);
  }

  /** Deletes pods from the highest ordinal down; without a bound, waits for each of them. */
  private void replaceOld(Map<Integer, Pod> pods) throws InterruptedException {
    int replicas = StatefulPods.replicas(set);
    Optional<IntOrString> bound = bounds.map(RollingUpdateStatefulSetStrategy::maxUnavailable);
    int unavailable = (int) pods.values().stream().filter(pod -> !isAvailable(pod)).count();
    int missing = replicas - pods.size();
    int left =
        bound.map(b -> Math.max(1, b.scaled(replicas, false)) - unavailable - missing).orElse(1);
    for (int index = replicas - 1; index >= partition() && left > 0; index--) {
      Pod pod = pods.get(StatefulPods.start(set) + index);
      if (pod != null && !versions.isUpdated(pod) && !pod.metadata().isBeingDeleted()) {
        control.delete(pod);
        left--;
      } else if (bound.isEmpty() && (pod == null || !isAvailable(pod))) {
        return;
      }
    }
  }
}
