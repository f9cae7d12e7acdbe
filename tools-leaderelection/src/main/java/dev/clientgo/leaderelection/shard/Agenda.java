package dev.clientgo.leaderelection.shard;

import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import java.util.ArrayList;
import java.util.List;

/** The time as one call of the rules sees it, and what the call wants to be done. */
final class Agenda {

  private static final long FOREVER = Long.MAX_VALUE / 2;

  private final Clock clock;
  private final long timeoutNanos;
  private final List<LeaseRequest> requests = new ArrayList<>();
  private long now;
  private long wakeAt;

  Agenda(Clock clock, ShardSettings settings) {
    this.clock = clock;
    timeoutNanos = settings.timings().requestTimeout().toNanos();
  }

  /** The requests to send now, and when to ask again. */
  record Todo(List<LeaseRequest> requests, long wakeAt) {}

  /** Reads the clock. */
  void begin() {
    now = clock.nanoTime();
    wakeAt = now + FOREVER;
  }

  /** Returns the reading of the clock. */
  long now() {
    return now;
  }

  /** Returns whether a time has come; if not, makes sure that the caller comes back then. */
  boolean isDue(long at) {
    if (now - at >= 0) {
      return true;
    }
    if (at - wakeAt < 0) {
      wakeAt = at;
    }
    return false;
  }

  void send(RequestLane lane, LeaseRequest request) {
    lane.send(request, now, now + timeoutNanos);
    isDue(lane.timeoutAt);
    requests.add(request);
  }

  /** Returns what to do, and forgets it. */
  Todo take() {
    List<LeaseRequest> taken = List.copyOf(requests);
    requests.clear();
    return new Todo(taken, wakeAt);
  }
}
