package dev.clientgo.controller.internal.debug;

import dev.clientgo.controller.debug.ReconcileRecord;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reconcile as the recorder keeps it. {@link ReconcileHistory} guards all fields. */
public final class RecordedReconcile {

  private final long reconcileId;
  private final Instant start;
  private final int priority;
  final List<RecordedCause> causes;
  private final int droppedCauses;

  private @Nullable Duration duration;
  private Outcome outcome = Outcome.RUNNING;
  private @Nullable Duration requeueAfter;
  private @Nullable String error;

  RecordedReconcile(long reconcileId, Instant start, int priority, PendingCauses causes) {
    this.reconcileId = reconcileId;
    this.start = start;
    this.priority = priority;
    this.causes = causes.causes();
    this.droppedCauses = causes.dropped();
  }

  void end(
      Duration took, Outcome outcome, @Nullable Duration requeueAfter, @Nullable String error) {
    this.duration = took;
    this.outcome = outcome;
    this.requeueAfter = outcome == Outcome.REQUEUE_AFTER ? requeueAfter : null;
    this.error = error;
  }

  /** Returns a copy whose causes are still to be read. */
  Draft read(Instant now) {
    Duration took = duration != null ? duration : Duration.between(start, now);
    Outcome ended = outcome;
    Duration after = requeueAfter;
    String message = error;
    return withChanges ->
        new ReconcileRecord(
            reconcileId,
            start,
            took,
            priority,
            ended,
            after,
            message,
            causes.stream().map(cause -> cause.read(withChanges)).toList(),
            droppedCauses);
  }

  /**
   * A record whose causes are still to be read, which takes time and so happens without the lock.
   */
  @FunctionalInterface
  interface Draft {
    ReconcileRecord read(boolean withChanges);
  }
}
