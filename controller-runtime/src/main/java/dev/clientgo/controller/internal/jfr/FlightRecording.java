package dev.clientgo.controller.internal.jfr;

import dev.clientgo.controller.internal.reconcile.Attempt;
import jdk.jfr.FlightRecorder;

/**
 * Makes an event of Flight Recorder of each reconcile, if the JVM has the module {@code jdk.jfr}.
 */
public final class FlightRecording {

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

  /**
   * Returns the step for a controller; call this only if Flight Recorder is available. Before the
   * first recording it costs a nanosecond: the first event object would initialise Flight Recorder,
   * which takes 0.2 s.
   */
  public static <R> Attempt.Step<R> step(String controller) {
    return attempt -> {
      if (!FlightRecorder.isInitialized()) {
        attempt.proceed();
        return;
      }
      ReconcileEvent event = new ReconcileEvent();
      event.begin();
      try {
        attempt.proceed();
      } finally {
        event.end(controller, attempt);
      }
    };
  }
}
