package dev.clientgo.controller.internal.jfr;

import dev.clientgo.controller.internal.reconcile.Attempt;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A reconcile, as Flight Recorder shows it. */
@Name("dev.clientgo.Reconcile")
@Label("Reconcile")
@Category("Kubernetes")
@Description("A call of a reconciler and what became of the request")
@StackTrace(false)
final class ReconcileEvent extends Event {

  @Label("Controller")
  String controller = "";

  @Label("Request")
  String request = "";

  @Label("Reconcile Id")
  long reconcileId;

  @Label("Earlier Failures")
  int failures;

  @Label("Time in Queue")
  @Timespan(Timespan.NANOSECONDS)
  long queued;

  @Label("Outcome")
  String outcome = "";

  void end(String name, Attempt<?> attempt) {
    end();
    if (shouldCommit()) {
      controller = name;
      request = attempt.request.toString();
      reconcileId = attempt.id();
      failures = attempt.failures;
      queued = attempt.queued.toNanos();
      outcome = attempt.outcome().name();
      commit();
    }
  }
}
