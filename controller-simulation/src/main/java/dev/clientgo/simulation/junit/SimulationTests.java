package dev.clientgo.simulation.junit;

import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.plan.Plan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Shows each plan of a simulation as a test of JUnit.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> plans() {
 *   return SimulationTests.of(simulation);
 * }
 * }</pre>
 *
 * <p>The name of a test is its plan. With the system property {@value #PROPERTY}, only the plan in
 * it is a test: {@code mvn test -Dclientgo.simulation.plan=0+crash-after-write:3}.
 */
public final class SimulationTests {

  /** The system property that chooses one plan. */
  public static final String PROPERTY = "clientgo.simulation.plan";

  private SimulationTests() {}

  /**
   * Returns one test for each plan. A plan that fails is shrunk; the error shows the least faults
   * that still fail, and the history.
   *
   * @throws IllegalArgumentException if the system property is no plan
   */
  public static Stream<DynamicTest> of(ControllerSimulation simulation) {
    String chosen = System.getProperty(PROPERTY, "");
    List<Plan> plans = chosen.isEmpty() ? simulation.plans() : List.of(Plan.parse(chosen));
    return plans.stream()
        .map(
            plan ->
                DynamicTest.dynamicTest(
                    plan.toString(), () -> simulation.check(plan).assertPassed()));
  }
}
