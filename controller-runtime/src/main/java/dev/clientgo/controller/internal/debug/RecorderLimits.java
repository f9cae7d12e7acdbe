package dev.clientgo.controller.internal.debug;

/**
 * The bounds of a recorder's memory.
 *
 * @param keys the requests with a history
 * @param reconciles the records of one request
 * @param causes the causes of one reconcile
 * @param states the updates whose two states are kept, to tell their fields
 */
public record RecorderLimits(int keys, int reconciles, int causes, int states) {

  /** Requests that wait in queues have causes, but no history yet. */
  int pendingKeys() {
    return Math.max(keys, 100_000);
  }

  /** Own writes that no event has shown yet; older ones are forgotten. */
  int ownWrites() {
    return 10_000;
  }
}
