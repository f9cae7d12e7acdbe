package dev.clientgo.controller.internal.debug;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.debug.Cause;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records the reconciles of one controller and their causes, or nothing if debugging is off: then
 * each method costs a check for null. Safe for use by many threads.
 *
 * @param <R> the type of requests
 */
public final class ControllerRecording<R> {

  private final @Nullable ReconcileHistory history;
  private final String controller;
  private final Function<? super R, ObjectName> names;

  /**
   * Creates a recording.
   *
   * @param history null to record nothing
   * @param controller the name of the controller
   * @param names returns the name of a request
   */
  public ControllerRecording(
      @Nullable ReconcileHistory history,
      String controller,
      Function<? super R, ObjectName> names) {
    this.history = history;
    this.controller = controller;
    this.names = names;
  }

  private RequestKey key(R request) {
    return new RequestKey(controller, names.apply(request));
  }

  /**
   * Records an event before its requests are added to the queue.
   *
   * @param before the old state, null for a new object
   * @param after the new state, null for a deleted object
   */
  public <T extends KubernetesObject> void event(
      Collection<R> requests,
      EventType type,
      ResourceType<T> resource,
      ObjectName object,
      @Nullable T before,
      @Nullable T after) {
    if (history == null) {
      return;
    }
    List<RequestKey> keys = new ArrayList<>(requests.size());
    for (R request : requests) {
      keys.add(key(request));
    }
    history.caused(
        keys,
        RecordedEvent.of(
            history.now(), type, resource, object, before, after, history.keepsStates()));
  }

  /** Records that the program adds a request to the queue; call this before it does. */
  public void enqueued(R request) {
    if (history != null) {
      caused(history, request, new Cause.Enqueued(history.now()));
    }
  }

  /** Records that a request is retried; call this before the retry. */
  public void retried(R request, int failures) {
    if (history != null) {
      caused(history, request, new Cause.Retry(history.now(), failures));
    }
  }

  /** Records that a request is added with a delay; call this before it is added. */
  public void requeued(R request, Duration delay) {
    if (history != null) {
      caused(history, request, new Cause.RequeueAfter(history.now(), delay));
    }
  }

  private void caused(ReconcileHistory open, R request, Cause cause) {
    open.caused(key(request), new RecordedCause.Other(cause));
  }

  /** Records a state of an object that the server returned for a write. */
  public void written(ResourceType<?> type, KubernetesObject written) {
    String version = written.metadata().resourceVersion();
    if (history != null && version != null) {
      history.written(type.resource(), version, controller);
    }
  }

  /** Records that this process has deleted an object. */
  public void deleted(ResourceType<?> type, KubernetesObject last) {
    String uid = last.metadata().uid();
    if (history != null && uid != null) {
      history.written(type.resource(), uid, controller);
    }
  }

  /** Records that a reconcile begins; returns null if nothing is recorded. */
  public @Nullable RecordedReconcile begin(R request, long reconcileId, int priority) {
    return history == null ? null : history.begin(key(request), reconcileId, priority);
  }

  /**
   * Records that a reconcile has ended.
   *
   * @param reconcile what {@link #begin} returned
   */
  public void end(
      @Nullable RecordedReconcile reconcile,
      Duration took,
      Outcome outcome,
      @Nullable Duration requeueAfter,
      @Nullable Throwable error) {
    if (history != null && reconcile != null) {
      history.end(reconcile, took, outcome, requeueAfter, error);
    }
  }

  /** Records that the controller has ended. */
  public void close() {
    if (history != null) {
      history.forgetPending(controller);
    }
  }
}
