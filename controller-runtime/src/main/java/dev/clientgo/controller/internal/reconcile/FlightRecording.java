package dev.clientgo.controller.internal.reconcile;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Makes an event of Flight Recorder of each reconcile, if the JVM has the module {@code jdk.jfr}.
 */
public final class FlightRecording {

  @Name("dev.clientgo.Reconcile")
  @Label("Reconcile")
  @Category("Kubernetes")
  @StackTrace(false)
  static final class ReconcileEvent extends Event {
    String controller = "";
    String request = "";
    long reconcileId;
    int failures;
    @Timespan long queued;
    String outcome = "";
  }

  private FlightRecording() {}

  /** Returns whether this JVM has Flight Recorder; an image of {@code jlink} may not. */
  public static boolean isAvailable() {
    try {
      FlightRecorder.isInitialized();
      return true;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** Returns the step for a controller; call this only if Flight Recorder is available. */
  public static <R> Attempt.Step<R> step(String controller) {
    return attempt -> {
      if (!FlightRecorder.isInitialized()) { // The first event would initialise it, in 0.2 s.
        attempt.proceed();
        return;
      }
      ReconcileEvent event = new ReconcileEvent();
      event.begin();
      try {
        attempt.proceed();
      } finally {
        event.end();
        event.controller = controller;
        event.request = attempt.request.toString();
        event.reconcileId = attempt.id;
        event.failures = attempt.failures;
        event.queued = attempt.queued.toNanos();
        event.outcome = attempt.outcome().name();
        event.commit();
      }
    };
  }
}
