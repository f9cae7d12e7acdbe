package dev.clientgo.controller.debug;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One reconcile, and all causes that were merged into it.
 *
 * @param reconcileId the number that {@code Context.reconcileId} returned
 * @param start when it began
 * @param duration how long it took, or has taken so far
 * @param priority the priority of the request
 * @param outcome how it ended
 * @param requeueAfter the delay that the reconciler asked for; null unless the outcome is {@link
 *     Outcome#REQUEUE_AFTER}
 * @param error the error that the reconciler threw, cut off if it is long; null if it threw none
 * @param causes the causes in the order in which they came; empty if the only cause came so early
 *     that the reconcile before has it
 * @param droppedCauses how many more causes came, beyond the limit
 */
public record ReconcileRecord(
    long reconcileId,
    Instant start,
    Duration duration,
    int priority,
    Outcome outcome,
    @Nullable Duration requeueAfter,
    @Nullable String error,
    List<Cause> causes,
    int droppedCauses) {

  /** How a reconcile ended. */
  public enum Outcome {
    /** It has not ended yet. */
    RUNNING("running"),

    /** It returned that nothing is left to do. */
    DONE("done"),

    /** It asked for a reconcile after a delay. */
    REQUEUE_AFTER("requeue after"),

    /** It threw, and is tried again. */
    FAILED("failed"),

    /** It threw a {@code TerminalException}, and is not tried again. */
    TERMINAL("failed for good"),

    /** It was interrupted because the controller is being closed. */
    INTERRUPTED("interrupted by the end of the controller");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /** Returns the name for people: {@code requeue after}. */
    @Override
    public String toString() {
      return text;
    }
  }

  public ReconcileRecord {
    requireNonNull(start, "start");
    requireNonNull(duration, "duration");
    requireNonNull(outcome, "outcome");
    causes = List.copyOf(causes);
  }

  /** Returns the reconcile in one line, and its causes below it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append('#').append(reconcileId);
    text.append(" at ").append(start.truncatedTo(ChronoUnit.MILLIS));
    text.append(String.format(Locale.ROOT, " for %.1f ms: ", duration.toNanos() / 1e6));
    text.append(outcome);
    if (requeueAfter != null) {
      text.append(' ').append(requeueAfter);
    }
    if (error != null) {
      text.append(": ").append(error);
    }
    for (Cause cause : causes) {
      text.append("\n  ").append(cause.toString().replace("\n", "\n  "));
    }
    if (droppedCauses > 0) {
      text.append("\n  and ").append(droppedCauses).append(" more causes");
    }
    return text.toString();
  }
}
