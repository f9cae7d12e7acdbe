package dev.clientgo.envtest.controllers.internal.workloads;

import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The annotations by which a Deployment keeps the history of its ReplicaSets. */
final class Revisions {

  /** The number of the template in the order in which templates were rolled out. */
  static final String REVISION = "deployment.kubernetes.io/revision";

  /** The earlier revisions of a template that was rolled out more than once. */
  static final String HISTORY = "deployment.kubernetes.io/revision-history";

  /** The size of the Deployment; if it differs, the Deployment was scaled. */
  static final String DESIRED = "deployment.kubernetes.io/desired-replicas";

  /** The size of the Deployment with its surge, by which shares are computed. */
  static final String MAX = "deployment.kubernetes.io/max-replicas";

  private static final int LONGEST_HISTORY = 2000;

  /** Annotations of a Deployment that its ReplicaSets do not get. */
  private static final Set<String> OWN =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          "deprecated.deployment.rollback.to",
          REVISION,
          HISTORY,
          DESIRED,
          MAX);

  private Revisions() {}

  /** Returns the revision of a set, 0 if it has none. */
  static long of(ReplicaSet set) {
    return number(set, REVISION);
  }

  /** Returns the number in an annotation, 0 if there is none. */
  static long number(ReplicaSet set, String annotation) {
    String text = set.metadata().annotation(annotation).orElse("");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** Returns the highest revision of the sets, 0 if there are none. */
  static long highest(Collection<ReplicaSet> sets) {
    return sets.stream().mapToLong(Revisions::of).max().orElse(0);
  }

  /**
   * Returns a set with the annotations of its Deployment, and with at least this revision. A
   * revision that it had before goes to its history.
   */
  static ReplicaSet annotate(ReplicaSet set, Deployment deployment, long revision) {
    Map<String, String> annotations = new LinkedHashMap<>(set.metadata().annotations());
    deployment
        .metadata()
        .annotations()
        .forEach(
            (key, value) -> {
              if (!OWN.contains(key)) {
                annotations.put(key, value);
              }
            });
    String before = annotations.get(REVISION);
    if (of(set) < revision) {
      annotations.put(REVISION, Long.toString(revision));
      if (before != null) {
        annotations.merge(HISTORY, before, Revisions::appended);
      }
    }
    return annotations.equals(set.metadata().annotations())
        ? set
        : set.with(s -> s.editMetadata(m -> m.annotations(annotations)));
  }

  /** The oldest revisions are dropped if the history gets too long. */
  private static String appended(String history, String revision) {
    String[] revisions = (history + "," + revision).split(",", -1);
    int first = 0;
    int length = history.length() + 1 + revision.length();
    while (length > LONGEST_HISTORY) {
      length -= revisions[first].length() + 1;
      first++;
    }
    return String.join(",", Arrays.asList(revisions).subList(first, revisions.length));
  }

  /** Returns a set that knows the size of its Deployment. */
  static ReplicaSet sized(ReplicaSet set, DeploymentSettings settings) {
    Map<String, String> annotations = new LinkedHashMap<>(set.metadata().annotations());
    annotations.put(DESIRED, Integer.toString(settings.replicas()));
    annotations.put(MAX, Integer.toString(settings.replicas() + settings.maxSurge()));
    return annotations.equals(set.metadata().annotations())
        ? set
        : set.with(s -> s.editMetadata(m -> m.annotations(annotations)));
  }
}
