package dev.clientgo.simulation;

import java.util.List;

/**
 * The result of {@link ControllerSimulation#exploreOrders}. It is no proof: only orders of threads
 * that are ready at the same time were tried, and no more than the bound.
 *
 * @param states how many different states were seen in which several threads could run; states that
 *     have the same hash count once
 * @param orders how many orders were tried
 * @param bound how many orders could be tried
 * @param failures the runs that violated an oracle, each with the least changes that still do
 */
public record ExploredOrders(int states, int orders, int bound, List<SimulatedRun> failures) {

  public ExploredOrders {
    failures = List.copyOf(failures);
  }

  /**
   * Does nothing if no run has failed.
   *
   * @throws AssertionError if one has; it shows the first, with its plan and its history. Also if
   *     only the usual order was tried
   */
  public void assertPassed() {
    if (failures.isEmpty() && orders < 2) {
      throw new AssertionError(this + "; this shows nothing, since no other order was tried");
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(
          failures.size() + " orders failed, this is the first.\n" + failures.get(0).describe());
    }
  }

  /** Returns the numbers on one line, as in {@code bounded: 90 states, 40 orders, bound 200}. */
  @Override
  public String toString() {
    return "bounded: " + states + " states, " + orders + " orders, bound " + bound;
  }
}
