package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.testing.Fault;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each function that a user gives to a simulation fails in each way: the run ends, and its
 * violations say so. It neither passes nor hangs.
 */
@Timeout(300)
final class FaultsTest {

  /** Functions of the user. */
  private enum Callback {
    SETUP,
    PREPARE,
    STEP,
    INVARIANT,
    ENVIRONMENT
  }

  static Stream<Arguments> cases() {
    return Arrays.stream(Callback.values())
        .flatMap(
            callback -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(callback, fault)));
  }

  private static ControllerSimulation simulation(Callback callback, Fault fault) {
    ControllerSimulation simulation =
        ControllerSimulation.of(
                callback == Callback.SETUP ? process -> fault.fail() : Secrets::lookingFirst)
            .step(
                "create",
                client -> {
                  client
                      .resource(ConfigMap.TYPE)
                      .create(ConfigMap.of("default", "a", map -> map.data(Map.of("k", "v"))));
                  if (callback == Callback.STEP) {
                    fault.fail();
                  }
                })
            .systematic(false)
            .seeds(1, 1);
    switch (callback) {
      case PREPARE -> simulation.prepare(client -> fault.fail());
      case INVARIANT -> simulation.always("mine", state -> fault.fail());
      case ENVIRONMENT -> simulation.environment(process -> fault.fail());
      default -> {}
    }
    return simulation;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void callback_thatThrows_failsTheRun(Callback callback, Fault fault) {
    if (callback == Callback.PREPARE) { // There is nothing to try without the cluster.
      assertThatThrownBy(() -> simulation(callback, fault).run())
          .hasMessage("the cluster could not be prepared")
          .hasCauseInstanceOf(Throwable.class);
      return;
    }
    SimulationResult result = simulation(callback, fault).run();

    assertThat(result.passed()).isFalse();
    assertThat(result.failures().get(0).describe()).isNotBlank();
  }

  /** A server that does not answer may make a good end fail, but never with an Error. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void onStop_thatThrowsAnError_failsTheRun_andAnExceptionIsInItsHistory(Fault fault) {
    SimulatedRun run =
        ControllerSimulation.of(
                process -> {
                  process.onStop(fault::fail);
                  Secrets.lookingFirst(process);
                })
            .step("create", Secrets::createMap)
            .replay("0+terminate:1");

    assertThat(run.history()).anyMatch(line -> line.contains("its end failed: "));
    assertThat(run.violations().stream().anyMatch(line -> line.contains("the end of a process")))
        .as(run.describe())
        .isEqualTo(fault == Fault.ERROR || fault == Fault.STACK_OVERFLOW);
  }

  /** A pass of such a plan says nothing about the fault. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fresh-cluster:9",
        "delete-children:9",
        "terminate:9",
        "shard-moves:1",
        "leader-change:1",
        "clock-ahead:2",
        "fast-clock:2",
        "older-server:9/1",
        "crash-after-call:1",
        "unseen-event:99",
        "order:999/1"
      })
  void fault_thatDoesNotHappen_isInTheHistory(String fault) {
    ControllerSimulation simulation =
        ControllerSimulation.of(Secrets::lookingFirst).step("create", Secrets::createMap);

    assertThat(simulation.replay("0+" + fault).history())
        .last()
        .asString()
        .endsWith("these faults did not happen: [" + fault + "]");
    assertThat(simulation.replay("0+clock-ahead:1+fast-clock:1+fresh-cluster:1").history())
        .noneMatch(line -> line.contains("did not happen"));
  }

  /** The runtime reconciles again after an Error, so the state at the end is as it should be. */
  @Test
  void reconcile_thatThrowsAnErrorOnce_failsTheRun() {
    AtomicBoolean thrown = new AtomicBoolean();
    Reconciler reconciler =
        (request, context) -> {
          if (!thrown.getAndSet(true)) {
            throw new AssertionError("mine");
          }
          return Result.done();
        };
    SimulationResult result =
        ControllerSimulation.of(
                process ->
                    process.run(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build()))
            .step("create", Secrets::createMap)
            .run();

    assertThat(result.failures()).hasSize(1);
    assertThat(result.failures().get(0).violations())
        .anyMatch(violation -> violation.endsWith("threw java.lang.AssertionError: mine"));
  }
}
