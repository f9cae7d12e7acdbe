package dev.clientgo.leaderelection.shard;

import dev.clientgo.leaderelection.internal.LeaseRequest;
import org.jspecify.annotations.Nullable;

/** Requests that follow one another: at most one of them waits for its answer. */
final class RequestLane {

  private @Nullable LeaseRequest inFlight;

  /** The reading of the clock before the last request was sent. */
  long sentAt;

  /** The reading of the clock at which the request in flight is given up. */
  long timeoutAt;

  /** The reading of the clock at which the next request may be sent. */
  long next;

  void send(LeaseRequest request, long now, long timeout) {
    inFlight = request;
    sentAt = now;
    timeoutAt = timeout;
  }

  void done() {
    inFlight = null;
  }

  boolean isBusy() {
    return inFlight != null;
  }

  /** Returns whether this very request, not an equal one, waits for its answer. */
  boolean isWaitingFor(LeaseRequest request) {
    return inFlight == request;
  }

  @Nullable LeaseRequest inFlight() {
    return inFlight;
  }
}
