package dev.clientgo.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedRun;
import dev.clientgo.simulation.SimulationResult;
import java.util.stream.IntStream;

/**
 * A controller with a bug and the same controller without it. The simulation finds the bug although
 * nothing says what is right: it has steps, and no {@code atRest} and no {@code always}.
 */
interface Pair {

  /** {@code -Dsimulation.replays=100} replays each plan more often. */
  int REPLAYS = Integer.getInteger("simulation.replays", 5);

  /** {@code -Dsimulation.seeds=1000} tries more random plans. */
  int SEEDS = Integer.getInteger("simulation.seeds", 1);

  /** {@code -Dsimulation.systematic=1000} tries each fault at each place. */
  int SYSTEMATIC = Integer.getInteger("simulation.systematic", 20);

  String name();

  /** Returns a simulation of one of the two controllers. */
  ControllerSimulation simulation(boolean withBug);

  /** Returns the plan that finds the bug. */
  String plan();

  /** Returns a part of the description of what goes wrong. */
  String symptom();

  /** Returns how often a test replays the plan. */
  default int replays() {
    return REPLAYS;
  }

  /** Fails if the bug is not found by its plan, or if a replay differs. */
  static void assertFound(Pair pair) {
    ControllerSimulation simulation = pair.simulation(true).mostFailures(1);

    SimulationResult result = simulation.run();

    assertThat(result.failures()).as("%s", result).hasSize(1);
    SimulatedRun failure = result.failures().get(0);
    assertThat(failure.plan()).as(failure.describe()).hasToString(pair.plan());
    assertThat(String.join("\n", failure.violations())).contains(pair.symptom());
    assertThat(
            IntStream.range(0, pair.replays())
                .filter(i -> simulation.replay(pair.plan()).equals(failure))
                .count())
        .isEqualTo(pair.replays());
  }

  /** Fails if the controller without the bug raises an alarm. */
  static void assertTwinIsSilent(Pair pair) {
    pair.simulation(false).run().assertPassed();
  }
}
