package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.junit.SimulationTests;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
final class ControllerSimulationTest {

  private static final Map<String, ControllerSetup> CONTROLLERS =
      Map.of(
          "runtime", Secrets::lookingFirst,
          "by hand", Secrets::byHand,
          "elected", Secrets::elected,
          "awaiting", Secrets::awaiting,
          "buggy", Secrets::rememberingInMemory);

  /**
   * The same on each JDK, with any number of processors: the history depends on the plan alone. If
   * the library sends other requests than before, has other threads, or the simulation takes other
   * times, the checksums differ on all machines alike; then record those that the test prints.
   */
  @ParameterizedTest
  @CsvSource({
    "runtime, 0, 2b096ab4",
    "runtime, 7+unseen-event:2+lost-answer:1, ada6c5d8",
    "runtime, 3+stale-restart:3/2+slow-request:4, 3839ee96",
    "by hand, 11+partition:1+conflict:2, 76844733",
    "by hand, 12+crash-after-write:1+expired:3, e139c777",
    "elected, 5+crash-before-write:2, 23934fb5",
    "elected, 6+partition:1, 873e7b74",
    "awaiting, 0, 1bb8907b",
    "awaiting, 4+slow-request:30+late-event:1, 155812f2",
    "buggy, 0+crash-after-write:1, 45da996c"
  })
  void plan_leadsToTheSameHistoryEverywhere(String controller, String plan, String fingerprint) {
    SimulatedRun run = simulation(controller).replay(plan);

    assertThat(run.fingerprint()).as(run.describe()).isEqualTo(fingerprint);
  }

  private static ControllerSimulation simulation(String controller) {
    ControllerSimulation simulation = Secrets.simulation(CONTROLLERS.get(controller));
    return controller.equals("elected") ? simulation.processes(2) : simulation;
  }

  @Test
  void failingPlan_isReplayedExactly() {
    ControllerSimulation simulation =
        simulation("buggy")
            .without(Kind.DELETE_EVERYTHING, Kind.DELETE_CHILDREN, Kind.FRESH_CLUSTER)
            .mostFailures(1);
    SimulationResult result = simulation.run();

    assertThat(result.failures()).hasSize(1);
    SimulatedRun failure = result.failures().get(0);
    assertThat(failure.plan()).hasToString("0+crash-after-write:1");
    assertThat(failure.violations())
        .contains("it has created 2 of secrets default/s-*, but 1 without the faults");
    for (int i = 0; i < 20; i++) {
      assertThat(simulation.replay("0+crash-after-write:1")).isEqualTo(failure);
    }
    assertThatThrownBy(result::assertPassed)
        .hasMessageContaining("simulation.replay(\"0+crash-after-write:1\")");
  }

  @TestFactory
  Stream<DynamicTest> correctControllerOfTheRuntime_passesEachPlan() {
    return SimulationTests.of(simulation("runtime").mostSystematic(50).seeds(1, 5));
  }

  @Test
  void correctControllerByHand_passesEachPlan() {
    simulation("by hand")
        .without(Kind.DELETE_CHILDREN) // It follows no secrets.
        .mostSystematic(50)
        .seeds(1, 5)
        .run()
        .assertPassed();
  }

  @Test
  void correctControllerWithElection_passes() {
    simulation("elected").systematic(false).seeds(1, 5).run().assertPassed();
  }

  @Test
  void invariantThatDoesNotHold_fails() {
    SimulatedRun run =
        simulation("runtime")
            .always("there is no secret", state -> assertThat(state.list(Secret.TYPE)).isEmpty())
            .check(Plan.of(0));

    assertThat(run.violations())
        .first()
        .asString()
        .startsWith("\"there is no secret\" does not hold after create secrets default");
  }

  /** A second fault hides the event when it is shown at the end. */
  @Test
  void eventThatIsHiddenTwice_isSeenAtLast() {
    ControllerSimulation.of(Secrets::lookingFirst)
        .step("create", Secrets::createMap)
        .replay("0+unseen-event:1+unseen-event:2")
        .assertPassed();
  }

  @Test
  void plansBeyondTheMost_areCounted() {
    SimulationResult none = simulation("runtime").mostSystematic(0).seeds(1, 0).run();
    SimulationResult result = simulation("runtime").mostSystematic(3).seeds(1, 0).run();

    assertThat(result.runs()).isEqualTo(none.runs() + 3);
    assertThat(result.leftOut()).isGreaterThan(50);
    assertThat(result)
        .asString()
        .endsWith("mostSystematic has left out " + result.leftOut() + " plans of one fault");
  }

  @Test
  void processThatDoesNothing_isReported() {
    SimulatedRun run = Secrets.simulation(process -> {}).check(Plan.of(0));

    assertThat(run.violations())
        .contains(
            "the controller has ended without a fault: it has returned, and no thread is left");
  }

  @Test
  void plan_hasATextForm() {
    Plan plan = Plan.of(17, Fault.of(Fault.Kind.LOST_ANSWER, 3), Fault.parse("stale-restart:2/5"));

    assertThat(plan).hasToString("17+lost-answer:3+stale-restart:2/5");
    assertThat(Plan.parse(plan.toString())).isEqualTo(plan);
    assertThat(plan.without(0).faults()).isEqualTo(List.of(plan.faults().get(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> Plan.parse("17+boom:1"));
    assertThatIllegalArgumentException().isThrownBy(() -> Plan.parse("x"));
  }
}
