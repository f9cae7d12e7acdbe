package dev.clientgo.remotecommand.portforward;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;

/** The time that a connection may wait for a pod. Belongs to one thread. */
final class PodWait {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Duration limit;
  private final Deadline deadline;

  /** Begins to wait; not at all if the limit is zero. */
  PodWait(Duration limit, Clock clock) {
    this.limit = limit;
    this.deadline = clock.deadline(limit);
  }

  /** Returns whether the user has asked to wait, so that the state of a pod matters. */
  boolean isAsked() {
    return !limit.isZero();
  }

  /** Waits before another look at the pods. Returns false if the time is up. */
  boolean pause() throws InterruptedException {
    return deadline.sleep(PAUSE);
  }

  /** Returns how long it has waited at most, for an error; empty if it has not. */
  @Override
  public String toString() {
    return isAsked() ? " after " + limit.toMillis() / 1000.0 + " s" : "";
  }
}
