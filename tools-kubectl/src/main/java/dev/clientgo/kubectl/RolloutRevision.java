package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * One revision in the history of a rollout.
 *
 * <pre>{@code
 * Rollout.history(deployments, "web").forEach(System.out::println); // 3 set image to nginx:1.29
 * }</pre>
 *
 * @param number the number of the revision; later ones are greater
 * @param changeCause the annotation {@code kubernetes.io/change-cause} of the revision; may be
 *     empty
 * @param template the pod template of the revision, as a tree; unmodifiable
 */
public record RolloutRevision(long number, String changeCause, Map<String, ?> template) {

  public RolloutRevision {
    requireNonNull(changeCause, "changeCause");
    requireNonNull(template, "template");
  }

  /** Returns number and cause, as kubectl prints them. */
  @Override
  public String toString() {
    return number + " " + (changeCause.isEmpty() ? "<none>" : changeCause);
  }
}
