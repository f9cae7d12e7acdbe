package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Results of reconciles that look again at a moment of the clock.
 *
 * <p>The delay is computed at the end of a reconcile, not with the time at which it began: a test
 * that moves a fake clock when it sees a write would make a delay too long that was computed
 * before.
 */
public final class Requeue {

  private static final Duration AT_ONCE = Duration.ofNanos(1);

  private Requeue() {}

  /** Returns the result to reconcile again at that moment, which may be over. */
  public static Result at(Instant moment, Clock clock) {
    Duration left = Duration.between(clock.now(), moment);
    return Result.requeueAfter(left.compareTo(AT_ONCE) < 0 ? AT_ONCE : left);
  }

  /** Returns the result to reconcile again at that moment, if there is one. */
  public static Result at(Optional<Instant> moment, Clock clock) {
    return moment.map(at -> at(at, clock)).orElseGet(Result::done);
  }
}
