package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A step of a reconciler that tells at which moment of the clock to look again.
 *
 * <p>A delay would be relative to a time that a test with a fake clock can change meanwhile: it
 * sees a write of the reconciler, and moves the clock before the reconciler returns. With a moment,
 * the reconciler looks again at once if the moment has come in the meantime.
 */
@FunctionalInterface
public interface TimedReconciler {

  /** Takes the step, and returns when to look again, empty for at the next event. */
  Optional<Instant> reconcile(Request request, Context context) throws Exception;

  /** Returns the reconciler that repeats a step at the moments that it returns. */
  static Reconciler by(Clock clock, TimedReconciler step) {
    return (request, context) -> {
      while (true) {
        Optional<Instant> moment = step.reconcile(request, context);
        if (moment.isEmpty()) {
          return Result.done();
        }
        Duration left = Duration.between(clock.now(), moment.get());
        if (!left.isNegative() && !left.isZero()) {
          return Result.requeueAfter(left);
        }
      }
    };
  }
}
