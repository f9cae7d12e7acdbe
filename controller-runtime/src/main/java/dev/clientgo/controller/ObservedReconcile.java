package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.controller.ReconcileObserver.End;
import dev.clientgo.controller.ReconcileObserver.Start;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.reconcile.Attempt;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.internal.source.RequestIntake;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The step of a reconcile that calls an observer of the program, and survives what it throws.
 *
 * @param name names the observer in the log
 */
record ObservedReconcile(
    String name, String controller, ReconcileObserver observer, CallbackGuard callbacks)
    implements Attempt.Step<Request>, RequestIntake.Changes<Request> {

  @Override
  public void run(Attempt<Request> attempt) throws InterruptedException {
    Request request = attempt.request;
    Start start = new Start(controller, request, attempt.id(), attempt.failures, attempt.queued);
    End none = (outcome, error) -> {};
    End end = callbacks.call(name + "begin", () -> request, none, () -> observer.begin(start));
    try {
      attempt.proceed();
    } finally {
      Outcome outcome = attempt.outcome();
      Optional<Throwable> error = Optional.ofNullable(attempt.error());
      guard("end", request, () -> end.end(outcome, error));
    }
  }

  @Override
  public void changed(
      Set<Request> requests, @Nullable KubernetesObject before, @Nullable KubernetesObject after) {
    guard(
        "changed",
        requests,
        () -> observer.changed(controller, Set.copyOf(requests), before, after));
  }

  private void guard(String method, Object subject, Runnable call) {
    callbacks.call(name + method, () -> subject, 0, Executors.callable(call, 0));
  }
}
