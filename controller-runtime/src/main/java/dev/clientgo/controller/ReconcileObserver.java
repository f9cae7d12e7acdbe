package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Code of the program around each reconcile, such as a tracer, or one that adds the object to each
 * line that a thread logs. One thread calls {@link #begin}, the reconciler and the {@link End}.
 *
 * <p>Whatever an observer throws is logged and counted, and the reconcile continues; after three
 * failures in a row {@code /readyz} names it. Must be quick, and safe for use by many threads.
 */
@FunctionalInterface
public interface ReconcileObserver {

  /**
   * A reconcile that begins.
   *
   * @param reconcileId its number among those of the controller
   * @param failures how often in a row the request has failed before
   * @param queued how long the request was in the queue, ready for a worker
   */
  record Start(
      String controller, Request request, long reconcileId, int failures, Duration queued) {}

  /** Ends what {@link #begin} has begun. */
  @FunctionalInterface
  interface End {

    /** Called after the failure, if there is one, was logged. */
    void end(Outcome outcome, Optional<Throwable> error);
  }

  /** Called when a reconcile begins; returns what to call at its end. */
  End begin(Start start);

  /**
   * Called when the change of an object leads to requests, before they are in the queue, by a
   * thread of an informer. Not called for first lists and resyncs. By default does nothing.
   *
   * @param before null for a new object
   * @param after null for a deleted object
   */
  default void changed(
      String controller,
      Collection<Request> requests,
      @Nullable KubernetesObject before,
      @Nullable KubernetesObject after) {}
}
