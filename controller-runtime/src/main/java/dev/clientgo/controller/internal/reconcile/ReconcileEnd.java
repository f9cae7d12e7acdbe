package dev.clientgo.controller.internal.reconcile;

import static java.util.Objects.requireNonNull;

import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Decides after a reconcile what becomes of its request, counts that, and logs failures.
 *
 * @param <R> the type of the requests
 */
public final class ReconcileEnd<R> implements Attempt.Step<R> {

  /** A delay after which a reconciler may write often because of the time, and not of itself. */
  private static final Duration SOON = Duration.ofSeconds(6);

  private final LastStep<R> call;
  private final PriorityQueue<R> queue;
  private final FightDetector fights;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<R> recording;
  private final ReconcileLog log;
  private final BooleanSupplier closing;

  ReconcileEnd(
      LastStep<R> call,
      PriorityQueue<R> queue,
      FightDetector fights,
      ReconcileMetrics metrics,
      ControllerRecording<R> recording,
      ReconcileLog log,
      BooleanSupplier closing) {
    this.call = call;
    this.queue = queue;
    this.fights = fights;
    this.metrics = metrics;
    this.recording = recording;
    this.log = log;
    this.closing = closing;
  }

  @Override
  public void run(Attempt<R> attempt) throws InterruptedException {
    attempt.proceed();
    Duration requeueAfter = attempt.requeueAfter;
    if (requeueAfter != null) {
      attempt.end(succeeded(attempt, requeueAfter));
    } else if (closing.getAsBoolean()
        && !attempt.timedOut
        && Attempt.isInterruption(attempt.error)) {
      log.interrupted(attempt.request); // By close(): the reconciler has not failed.
      attempt.end(Outcome.INTERRUPTED);
    } else if (attempt.isOver()) {
      attempt.forgetFailures(); // The process that has the object now tries again.
      log.interrupted(attempt.request);
      attempt.end(Outcome.INTERRUPTED);
    } else {
      attempt.end(failed(attempt, requireNonNull(attempt.error, "error")));
    }
  }

  private Outcome succeeded(Attempt<R> attempt, Duration requeueAfter) {
    R request = attempt.request;
    queue.forget(request);
    if (requeueAfter.isZero()) {
      metrics.succeeded();
      return Outcome.DONE;
    }
    recording.requeued(request, requeueAfter);
    if (requeueAfter.compareTo(SOON) < 0) {
      fights.started(List.of(request), null);
    }
    queue.add(request, AddOptions.create().priority(attempt.nextPriority).after(requeueAfter));
    metrics.requeued();
    return Outcome.REQUEUE_AFTER;
  }

  /** Lets a request come again, unless its failure is final. */
  public Outcome failed(Attempt<R> attempt, Throwable error) {
    R request = attempt.request;
    boolean terminal = call.isTerminal(error);
    if (!terminal) {
      recording.retried(request, attempt.failures + 1);
      fights.started(List.of(request), null);
      queue.add(request, AddOptions.create().priority(attempt.priority).rateLimited());
    }
    metrics.failed(terminal, ReconcileLog.isPanic(error));
    log.failed(request, attempt.id, error, attempt.failures, terminal);
    return terminal ? Outcome.TERMINAL : Outcome.FAILED;
  }
}
