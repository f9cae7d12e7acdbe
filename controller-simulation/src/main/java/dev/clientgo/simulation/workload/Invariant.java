package dev.clientgo.simulation.workload;

/** A condition that must hold after each change in the cluster. */
@FunctionalInterface
public interface Invariant {

  /**
   * Checks the state, and throws if the invariant does not hold; an {@link AssertionError} will do.
   *
   * @throws Exception if it does not hold
   */
  void check(ClusterState state) throws Exception;
}
