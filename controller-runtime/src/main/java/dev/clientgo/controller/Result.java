package dev.clientgo.controller;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The result of a reconcile that did not fail: nothing is left to do until the next event, or the
 * controller should look again after a time.
 *
 * <p>Either way the failures of the request are forgotten. To be tried again with a growing delay,
 * a reconciler throws.
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code reconcile.Result}; its deprecated {@code
 * Requeue} does not exist here.
 */
public final class Result {

  private static final Result DONE = new Result(Duration.ZERO, null);

  private final Duration requeueAfter;
  private final @Nullable Integer priority;

  private Result(Duration requeueAfter, @Nullable Integer priority) {
    this.requeueAfter = requeueAfter;
    this.priority = priority;
  }

  /** Returns the result that nothing is left to do until the next event. */
  public static Result done() {
    return DONE;
  }

  /**
   * Returns the result that the controller should reconcile the request again after a time, even if
   * no event comes.
   *
   * @param delay the time; zero is {@link #done}
   * @throws IllegalArgumentException if the delay is negative
   */
  public static Result requeueAfter(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the delay must not be negative: " + delay);
    }
    return delay.isZero() ? DONE : new Result(delay, null);
  }

  /** Returns this result with the priority of the next reconcile. Default: that of this one. */
  public Result withPriority(int priority) {
    return new Result(requeueAfter, priority);
  }

  /** Returns after which time to reconcile again; zero for not before the next event. */
  public Duration requeueAfter() {
    return requeueAfter;
  }

  /** Returns the priority of the next reconcile, empty for that of this one. */
  public OptionalInt priority() {
    return priority == null ? OptionalInt.empty() : OptionalInt.of(priority);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Result that
        && requeueAfter.equals(that.requeueAfter)
        && Objects.equals(priority, that.priority);
  }

  @Override
  public int hashCode() {
    return Objects.hash(requeueAfter, priority);
  }

  @Override
  public String toString() {
    return (requeueAfter.isZero() ? "done" : "requeue after " + requeueAfter)
        + (priority == null ? "" : " with priority " + priority);
  }
}
