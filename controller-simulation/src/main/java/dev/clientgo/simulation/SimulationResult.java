package dev.clientgo.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The result of a simulation.
 *
 * @param runs how many runs there were, those that shrink a plan included
 * @param time the real time that they took
 * @param failures the runs that violated an oracle, each with the least faults that still do
 * @param leftOut how many plans with one fault were left out, because there are more than {@link
 *     ControllerSimulation#mostSystematic} allows
 */
public record SimulationResult(int runs, Duration time, List<SimulatedRun> failures, int leftOut) {

  public SimulationResult {
    failures = List.copyOf(failures);
  }

  /** Returns whether no run has failed. */
  public boolean passed() {
    return failures.isEmpty();
  }

  /**
   * Does nothing if no run has failed.
   *
   * @throws AssertionError if one has; it shows the first, with its plan and its history
   */
  public void assertPassed() {
    if (!passed()) {
      throw new AssertionError(
          failures.size() + " plans failed, this is the first.\n" + failures.get(0).describe());
    }
  }

  /** Returns the numbers on one line. */
  @Override
  public String toString() {
    String text =
        String.format(
            Locale.ROOT,
            "%d runs in %.1f s (%.0f a second), %d failed",
            runs,
            time.toMillis() / 1e3,
            runs * 1e9 / Math.max(1, time.toNanos()),
            failures.size());
    return leftOut == 0
        ? text
        : text + "; mostSystematic has left out " + leftOut + " plans of one fault";
  }
}
