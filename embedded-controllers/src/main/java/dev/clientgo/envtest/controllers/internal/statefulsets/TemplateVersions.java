package dev.clientgo.envtest.controllers.internal.statefulsets;

import dev.clientgo.envtest.controllers.internal.pods.ControllerHistory;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.core.v1.Pod;

/**
 * The two templates between which a StatefulSet moves; they are the same when all pods have it.
 *
 * @param current the template that all pods had when the last update was complete
 * @param updated the template of the spec
 */
record TemplateVersions(ControllerRevision current, ControllerRevision updated) {

  /** Returns the name of the current revision. */
  String currentName() {
    return name(current);
  }

  /** Returns the name of the updated revision. */
  String updatedName() {
    return name(updated);
  }

  private static String name(ControllerRevision revision) {
    return String.valueOf(revision.metadata().name());
  }

  /** Returns whether a pod has the current template. */
  boolean isCurrent(Pod pod) {
    return StatefulPods.revision(pod).equals(currentName());
  }

  /** Returns whether a pod has the updated template. */
  boolean isUpdated(Pod pod) {
    return StatefulPods.revision(pod).equals(updatedName());
  }

  /** Returns a new pod with the current template. */
  Pod newCurrentPod(StatefulSet set, int ordinal) {
    return StatefulPods.newPod(set, ControllerHistory.template(current), currentName(), ordinal);
  }

  /** Returns a new pod with the updated template. */
  Pod newUpdatedPod(StatefulSet set, int ordinal) {
    return StatefulPods.newPod(set, set.spec().template(), updatedName(), ordinal);
  }
}
