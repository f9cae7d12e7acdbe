package dev.clientgo.leaderelection;

/**
 * Receives the metrics of elections: an adapter to a metrics library. All methods must be quick;
 * the elector calls them while it renews the Lease. The elector logs what they throw and continues.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderMetric}. Unlike client-go: there is no
 * global provider.
 */
public interface LeaderElectionMetrics {

  /** Ignores all events. */
  LeaderElectionMetrics NONE = new LeaderElectionMetrics() {};

  /**
   * Whether this process leads: {@code leader_election_master_status}, 1 or 0.
   *
   * @param name the {@linkplain LeaderElector.Builder#name name} of the election
   */
  default void leading(String name, boolean leads) {}

  /**
   * The leader could not renew the Lease without reading it first: {@code
   * leader_election_slowpath_total}.
   *
   * @param name the {@linkplain LeaderElector.Builder#name name} of the election
   */
  default void slowPathExercised(String name) {}

  /**
   * A request about the Lease or a callback has failed: {@code leader_election_failures_total}.
   *
   * @param name the {@linkplain LeaderElector.Builder#name name} of the election
   */
  default void failed(String name) {}
}
