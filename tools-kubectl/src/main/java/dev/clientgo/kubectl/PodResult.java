package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

/**
 * The result of a drain for one pod of the node.
 *
 * <pre>{@code
 * report.forEach(System.out::println); // default/web-0 evicted
 * }</pre>
 *
 * @param namespace the namespace of the pod
 * @param name the name of the pod
 * @param action what was done
 * @param reason why, if that is not plain; may be empty
 */
public record PodResult(String namespace, String name, Action action, String reason) {

  /** The possible results for a pod. */
  public enum Action {
    /** It was evicted, and is gone. */
    EVICTED,
    /** It was deleted without regard to disruption budgets, and is gone. */
    DELETED,
    /** It stays on the node: a mirror pod, or one of a daemon set. */
    SKIPPED,
    /** It must not be removed, or could not be, or not in time; see the reason. */
    FAILED
  }

  public PodResult {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    requireNonNull(action, "action");
    requireNonNull(reason, "reason");
  }

  @Override
  public String toString() {
    return namespace
        + "/"
        + name
        + " "
        + action.name().toLowerCase(Locale.ROOT)
        + (reason.isEmpty() ? "" : ": " + reason);
  }
}
