package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

/**
 * One call of a reconciler: its client, its controller, its priority and its earlier failures.
 *
 * <p>A context is valid during one call of {@link Reconciler#reconcile}. Safe for use by many
 * threads.
 */
public final class Context {

  private final String controller;
  private final long reconcileId;
  private final int priority;
  private final int failures;
  private final Client client;

  Context(String controller, long reconcileId, int priority, int failures, Client client) {
    this.controller = requireNonNull(controller, "controller");
    this.reconcileId = reconcileId;
    this.priority = priority;
    this.failures = failures;
    this.client = client;
  }

  /** Returns the name of the controller. */
  public String controller() {
    return controller;
  }

  /**
   * Returns the number of this call among those of the controller, for logs. Corresponds to
   * controller-runtime's {@code ReconcileIDFromContext}.
   */
  public long reconcileId() {
    return reconcileId;
  }

  /** Returns the priority of the request; events of the first list have -100, others 0. */
  public int priority() {
    return priority;
  }

  /** Returns how often in a row this request has failed before. */
  public int failures() {
    return failures;
  }

  /** Returns the client that reads from the caches, with own writes, and writes to the server. */
  public Client client() {
    return client;
  }

  @Override
  public String toString() {
    return "Context[controller=" + controller + ", reconcileId=" + reconcileId + "]";
  }
}
