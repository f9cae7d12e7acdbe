package dev.clientgo.leaderelection;

import dev.clientgo.kubernetes.coordination.v1.Lease;

/**
 * Records an event about a Lease. It must be quick; the elector calls it while it holds the Lease,
 * and logs and ignores its exceptions.
 *
 * <p>Corresponds to client-go's {@code resourcelock.EventRecorder}.
 */
@FunctionalInterface
public interface LeaseEventRecorder {

  /**
   * Records an event.
   *
   * @param lease the Lease as last seen
   * @param type {@code Normal}
   * @param reason {@code LeaderElection}
   * @param message such as {@code web-0 became leader}
   */
  void record(Lease lease, String type, String reason, String message);
}
