package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import java.time.Instant;
import java.util.Optional;

/** A step of a reconciler that returns the moment of the clock at which to look again. */
@FunctionalInterface
public interface TimedReconciler {

  /** Takes the step, and returns when to look again, empty for at the next event. */
  Optional<Instant> reconcile(Request request, Context context) throws Exception;

  /** Returns the reconciler that repeats a step at the moments that it returns. */
  static Reconciler by(Alarm alarm, TimedReconciler step) {
    return (request, context) -> {
      alarm.set(context.controller(), request, step.reconcile(request, context));
      return Result.done();
    };
  }
}
