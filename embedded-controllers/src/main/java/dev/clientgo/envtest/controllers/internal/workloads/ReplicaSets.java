package dev.clientgo.envtest.controllers.internal.workloads;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetStatus;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The numbers of ReplicaSets, alone and in sum, with the defaults of a real server. */
final class ReplicaSets {

  /** The oldest first, then by name. */
  static final Comparator<ReplicaSet> BY_CREATION =
      comparing((ReplicaSet set) -> set.metadata().creationTimestamp(), nullsFirst(naturalOrder()))
          .thenComparing(set -> String.valueOf(set.metadata().name()));

  private ReplicaSets() {}

  /** Returns how many pods a set should have. */
  static int replicas(ReplicaSet set) {
    return requireNonNullElse(set.spec().replicas(), 1);
  }

  /** Returns the template of the pods. */
  static PodTemplateSpec template(ReplicaSet set) {
    return set.spec().template();
  }

  /** Returns how many pods the sets should have. */
  static int wanted(Collection<ReplicaSet> sets) {
    return sets.stream().mapToInt(ReplicaSets::replicas).sum();
  }

  /** Returns how many pods the sets have. */
  static int actual(Collection<ReplicaSet> sets) {
    return sum(sets, ReplicaSetStatus::replicas);
  }

  /** Returns how many pods of the sets are ready. */
  static int ready(Collection<ReplicaSet> sets) {
    return sum(sets, ReplicaSetStatus::readyReplicas);
  }

  /** Returns how many pods of the sets are available. */
  static int available(Collection<ReplicaSet> sets) {
    return sum(sets, ReplicaSetStatus::availableReplicas);
  }

  /** Returns how many pods of the sets are being deleted. */
  static int terminating(Collection<ReplicaSet> sets) {
    return sum(sets, ReplicaSetStatus::terminatingReplicas);
  }

  private static int sum(
      Collection<ReplicaSet> sets, Function<ReplicaSetStatus, @Nullable Integer> field) {
    return sets.stream()
        .map(ReplicaSet::status)
        .mapToInt(status -> requireNonNullElse(field.apply(status), 0))
        .sum();
  }
}
