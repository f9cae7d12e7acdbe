package dev.clientgo.envtest.controllers.internal.workloads;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Scales a Deployment while it is rolled out or paused: each ReplicaSet gets its share of the
 * change, so that the risk of a bad template does not grow.
 *
 * <p>Corresponds to {@code DeploymentController.scale}.
 */
final class ProportionalScaling {

  private static final Comparator<ReplicaSet> LARGEST_FIRST =
      comparing((ReplicaSet set) -> -ReplicaSets.replicas(set));

  private final Rollout rollout;
  private final DeploymentSettings settings;

  ProportionalScaling(Rollout rollout) {
    this.rollout = rollout;
    this.settings = rollout.settings();
  }

  /** Returns whether the size of the Deployment has changed since its ReplicaSets were scaled. */
  static boolean isDue(Rollout rollout) {
    return rollout.activeSets().stream()
        .filter(set -> set.metadata().annotations().containsKey(Revisions.DESIRED))
        .anyMatch(set -> Revisions.number(set, Revisions.DESIRED) != rollout.settings().replicas());
  }

  /** Scales the ReplicaSets. */
  void run() throws InterruptedException {
    List<ReplicaSet> active = rollout.activeSets();
    ReplicaSet newSet = rollout.newSet();
    if (active.size() <= 1) {
      ReplicaSet only = active.isEmpty() ? latest() : active.get(0);
      if (only != null) {
        rollout.scale(only, settings.replicas());
      }
    } else if (newSet != null && isSaturated(newSet)) {
      for (ReplicaSet old : rollout.oldSets()) {
        rollout.scale(old, 0);
      }
    } else if (settings.rolling()) {
      share(active);
    }
  }

  private @org.jspecify.annotations.Nullable ReplicaSet latest() {
    List<ReplicaSet> all = rollout.allSets();
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  private boolean isSaturated(ReplicaSet set) {
    return ReplicaSets.replicas(set) == settings.replicas()
        && Revisions.number(set, Revisions.DESIRED) == settings.replicas()
        && ReplicaSets.available(List.of(set)) == settings.replicas();
  }

  private void share(List<ReplicaSet> active) throws InterruptedException {
    int allowed = settings.replicas() > 0 ? settings.replicas() + settings.maxSurge() : 0;
    int change = allowed - ReplicaSets.wanted(active);
    // Of two sets of one size, a newer one grows first, and an older one shrinks first.
    Comparator<ReplicaSet> age =
        change > 0 ? ReplicaSets.BY_CREATION.reversed() : ReplicaSets.BY_CREATION;
    List<ReplicaSet> sorted = active.stream().sorted(LARGEST_FIRST.thenComparing(age)).toList();
    List<Integer> sizes = new ArrayList<>();
    int done = 0;
    for (ReplicaSet set : sorted) {
      int part = part(set, change, done);
      sizes.add(ReplicaSets.replicas(set) + part);
      done += part;
    }
    sizes.set(0, Math.max(0, sizes.get(0) + change - done)); // The largest takes the rest.
    for (int i = 0; i < sorted.size(); i++) {
      rollout.resize(sorted.get(i), sizes.get(i));
    }
  }

  private int part(ReplicaSet set, int change, int done) {
    int left = change - done;
    if (left == 0) {
      return 0;
    }
    int fraction = fraction(set);
    return change > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
  }

  private int fraction(ReplicaSet set) {
    int size = ReplicaSets.replicas(set);
    if (settings.replicas() == 0) {
      return -size;
    }
    long before = Revisions.number(set, Revisions.MAX);
    if (before == 0) {
      before = requireNonNullElse(rollout.status().replicas(), 0);
    }
    long max = (long) settings.replicas() + settings.maxSurge();
    return before == 0 ? 0 : (int) Math.round((double) size * max / before) - size;
  }
}
