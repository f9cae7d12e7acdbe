package dev.clientgo.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedRun;
import dev.clientgo.simulation.SimulationResult;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The simulation finds a bug, and has nothing to say about the same controller without it. */
@Timeout(600)
abstract class BugAndTwin {

  /** {@code -Dsimulation.replays=100} replays each plan more often. */
  private static final int REPLAYS = Integer.getInteger("simulation.replays", 3);

  /** {@code -Dsimulation.seeds=1000} tries more random plans on each twin. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 3);

  /** Returns the setup of the controller with the bug. */
  abstract ControllerSetup buggy();

  /** Returns the setup of the controller without it. */
  abstract ControllerSetup correct();

  /** Returns a simulation with the steps that a user takes. */
  abstract ControllerSimulation simulation(ControllerSetup setup);

  /**
   * Returns a simulation with faults: these controllers are about them, and do not look after what
   * users do to their objects. {@code KindsOfBugsTest} has those that do.
   */
  final ControllerSimulation faulty(ControllerSetup setup) {
    return simulation(setup).without(Kind.DELETE_CHILDREN, Kind.EDIT_CHILDREN);
  }

  /** Returns a part of the description of what goes wrong. */
  abstract String symptom();

  @Test
  final void bug_isFound_andItsPlanReplaysIt() {
    ControllerSimulation simulation = faulty(buggy()).seeds(1, SEEDS).mostFailures(1);

    SimulationResult result = simulation.run();

    assertThat(result.failures()).as("%s", result).hasSize(1);
    SimulatedRun failure = result.failures().get(0);
    System.out.println(name() + ": " + failure.plan() + " " + failure.violations());
    assertThat(failure.violations())
        .as(failure.describe())
        .anyMatch(violation -> violation.contains(symptom()));
    for (int i = 0; i < REPLAYS; i++) {
      assertThat(simulation.replay(failure.plan().toString())).isEqualTo(failure);
    }
  }

  @Test
  final void twin_passesTheSamePlans() {
    SimulationResult result = faulty(correct()).seeds(1, SEEDS).run();

    System.out.println(name() + ", twin: " + result);
    result.assertPassed();
  }

  /**
   * Returns both, without a specification and without the plans that {@link #faulty} leaves out.
   */
  final Pair pair() {
    return new Pair() {
      @Override
      public String name() {
        return BugAndTwin.this.name();
      }

      @Override
      public ControllerSimulation simulation(boolean withBug) {
        return faulty(withBug ? buggy() : correct());
      }

      @Override
      public String plan() {
        return ""; // The plan that finds it depends on how many there are.
      }

      @Override
      public String symptom() {
        return BugAndTwin.this.symptom();
      }
    };
  }

  final String name() {
    return getClass().getSimpleName().replace("Test", "");
  }
}
