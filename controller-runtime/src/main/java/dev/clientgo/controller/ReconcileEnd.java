package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides after a reconcile what becomes of its request, counts that, and logs failures. */
final class ReconcileEnd implements Attempt.Step {

  /** A delay after which a reconciler may write often because of the time, and not of itself. */
  private static final Duration SOON = Duration.ofSeconds(6);

  /** Causes may form a circle. */
  private static final int MAX_CAUSES = 50;

  private final PriorityQueue<Request> queue;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<Request> recording;
  private final ReconcileLog log;
  private final ClientScope scope;
  private final BooleanSupplier closing;

  ReconcileEnd(
      PriorityQueue<Request> queue,
      ReconcileMetrics metrics,
      ControllerRecording<Request> recording,
      ReconcileLog log,
      ClientScope scope,
      BooleanSupplier closing) {
    this.queue = queue;
    this.metrics = metrics;
    this.recording = recording;
    this.log = log;
    this.scope = scope;
    this.closing = closing;
  }

  @Override
  public void run(Attempt attempt) throws InterruptedException {
    attempt.proceed();
    Result result = attempt.result;
    if (result != null) {
      attempt.end(succeeded(attempt, result));
    } else if (closing.getAsBoolean() && isInterruption(attempt.error)) {
      log.interrupted(attempt.request); // By close(): the reconciler has not failed.
      attempt.end(Outcome.INTERRUPTED);
    } else if (attempt.isOver()) {
      attempt.leaveToOthers(); // The process that has the object now tries again.
      log.interrupted(attempt.request);
      attempt.end(Outcome.INTERRUPTED);
    } else {
      attempt.end(failed(attempt, requireNonNull(attempt.error, "error")));
    }
  }

  /** Returns whether an error is an interruption, or has one as its cause, but no timeout. */
  private static boolean isInterruption(@Nullable Throwable error) {
    return !(error instanceof ReconcileTimeoutException)
        && Stream.iterate(error, Objects::nonNull, Throwable::getCause)
            .limit(MAX_CAUSES)
            .anyMatch(cause -> cause instanceof InterruptedException);
  }

  private Outcome succeeded(Attempt attempt, Result result) {
    Request request = attempt.request;
    queue.forget(request);
    if (result.requeueAfter().isZero()) {
      metrics.succeeded();
      return Outcome.DONE;
    }
    int priority = result.priority().orElse(attempt.priority);
    recording.requeued(request, result.requeueAfter());
    if (result.requeueAfter().compareTo(SOON) < 0) {
      scope.startsSoon(request);
    }
    queue.add(request, AddOptions.create().priority(priority).after(result.requeueAfter()));
    metrics.requeued();
    return Outcome.REQUEUE_AFTER;
  }

  /** Lets a request come again, unless its failure is final. */
  Outcome failed(Attempt attempt, Throwable error) {
    Request request = attempt.request;
    boolean terminal = TerminalException.isIn(error);
    if (!terminal) {
      recording.retried(request, attempt.failures + 1);
      scope.startsSoon(request);
      queue.add(request, AddOptions.create().priority(attempt.priority).rateLimited());
    }
    metrics.failed(terminal, ReconcileLog.isPanic(error));
    log.failed(request, error, attempt.failures, terminal);
    return terminal ? Outcome.TERMINAL : Outcome.FAILED;
  }
}
