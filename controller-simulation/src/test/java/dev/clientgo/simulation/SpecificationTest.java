package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must hold at rest, by a specification and without one. */
@Timeout(300)
final class SpecificationTest {

  private static ControllerSetup setup(Reconciler reconciler) {
    return process -> process.run(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
  }

  private static ControllerSimulation create(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create", Secrets::createMap);
  }

  // ---- a specification

  @Test
  void specification_holdsAtRest_notInBetween() {
    AtomicInteger checks = new AtomicInteger();
    SimulatedRun run =
        Secrets.simulation(Secrets::lookingFirst)
            .atRest(
                "each map has a secret",
                state -> {
                  checks.incrementAndGet();
                  assertThat(state.list(Secret.TYPE)).hasSameSizeAs(state.list(ConfigMap.TYPE));
                })
            .check(Plan.of(0));

    run.assertPassed();
    assertThat(checks.get()).isPositive();
  }

  @Test
  void specification_thatTheRunWithoutFaultsBreaks_fails() {
    SimulatedRun run =
        create(setup((request, context) -> Result.done()))
            .atRest("there is a secret", state -> assertThat(state.list(Secret.TYPE)).isNotEmpty())
            .check(Plan.of(0));

    assertThat(run.violations())
        .anyMatch(
            text -> text.startsWith("\"there is a secret\" does not hold at rest after step 1"));
  }

  @Test
  void specification_thatOneFaultBreaks_fails() {
    SimulationResult result =
        create(Secrets::rememberingInMemory)
            .without(Kind.DELETE_EVERYTHING, Kind.DELETE_CHILDREN, Kind.FRESH_CLUSTER)
            .atRest("one secret", state -> assertThat(state.list(Secret.TYPE)).hasSizeLessThan(2))
            .mostFailures(1)
            .run();

    assertThat(result.failures().get(0).violations())
        .anyMatch(text -> text.startsWith("\"one secret\" does not hold at rest"));
  }

  // ---- failures

  @Test
  void environment_reachesItsReconciler() {
    AtomicInteger calls = new AtomicInteger();
    SimulatedRun run =
        create(Secrets::lookingFirst)
            .environment(
                setup(
                    (request, context) -> {
                      calls.incrementAndGet();
                      return Result.done();
                    }))
            .check(Plan.of(0));

    run.assertPassed();
    assertThat(calls.get()).isPositive();
  }

  @Test
  void reconcile_thatAlwaysFails_failsTheRun_alsoInTheEnvironment() {
    Reconciler failing =
        (request, context) -> {
          throw new IllegalStateException("mine");
        };

    SimulatedRun own = create(setup(failing)).check(Plan.of(0));
    SimulatedRun environment =
        create(Secrets::lookingFirst).environment(setup(failing)).check(Plan.of(0));
    SimulatedRun allowed = create(setup(failing)).failing("default/a").check(Plan.of(0));

    for (SimulatedRun run : List.of(own, environment)) {
      assertThat(run.violations())
          .anyMatch(text -> text.contains("has failed: java.lang.IllegalStateException: mine"));
    }
    allowed.assertPassed();
  }

  @Test
  void threadOfTheController_thatEndsWithAnError_isInTheHistory() {
    SimulatedRun run =
        create(
                process -> {
                  process
                      .threads()
                      .newThread(
                          () -> {
                            throw new AssertionError("mine");
                          })
                      .start();
                  Secrets.lookingFirst(process);
                })
            .check(Plan.of(0));

    assertThat(run.violations())
        .anyMatch(
            text ->
                text.startsWith("a thread of controller-1 has ended: ")
                    && text.contains("SpecificationTest.java:"));
    assertThat(run.history()).anyMatch(line -> line.contains("java.lang.AssertionError: mine"));
  }

  @Test
  void stepThatIsInterrupted_failsTheRun() {
    SimulatedRun run =
        ControllerSimulation.of(Secrets::lookingFirst)
            .step(
                "create",
                client -> {
                  throw new InterruptedException("mine");
                })
            .check(Plan.of(0));

    assertThat(run.violations()).anyMatch(text -> text.contains("InterruptedException: mine"));
  }

  /** The step needs the secret, which the controller makes late. */
  @Test
  void stepThatFailsWhileAnEventIsHidden_isTakenOnceInARun() {
    ControllerSimulation simulation =
        create(Secrets::lookingFirst)
            .step(
                "note it",
                client -> {
                  ConfigMap map = client.resource(ConfigMap.TYPE).inNamespace("default").get("a");
                  client.resource(Secret.TYPE).inNamespace("default").get("a");
                  client
                      .resource(ConfigMap.TYPE)
                      .inNamespace("default")
                      .update(map.with(m -> m.data(Map.of("text", "two"))));
                });

    SimulatedRun run = simulation.replay("0+unseen-event:1");

    run.assertPassed();
    assertThat(run.history()).filteredOn(line -> line.contains("--- step 2")).hasSize(1);
    simulation.replay("0+fresh-cluster:2").assertPassed(); // Step 2 is not there to compare.
  }

  // ---- opt-outs

  @Test
  void reports_sayHowToOptOut() {
    AtomicInteger runs = new AtomicInteger();
    ControllerSetup changing =
        process -> {
          int number = runs.incrementAndGet();
          process.run(
              Controller.builder(
                      (request, context) -> {
                        context
                            .client()
                            .resource(Secret.TYPE)
                            .apply(Secret.of("default", "run-" + number, secret -> {}));
                        return Result.done();
                      })
                  .forKind(ConfigMap.TYPE)
                  .build());
        };

    assertThat(create(Secrets::rememberingInMemory).replay("0+delete-children:1").violations())
        .isNotEmpty()
        .allMatch(text -> text.contains("without(Kind.DELETE_CHILDREN)"));
    assertThat(create(changing).check(Plan.of(0)).violations())
        .isNotEmpty()
        .allMatch(text -> text.contains("outside("));
    create(changing).outside("depend on the plan alone").check(Plan.of(0)).assertPassed();
  }

  // ---- rest

  /** It fails for 25 minutes, and is done 4 minutes after that. */
  @Test
  void keyThatRecovers_keepsTheRunAwake() {
    ControllerSetup setup =
        process -> {
          Instant recovery = process.clock().now().plus(Duration.ofMinutes(30));
          AtomicInteger successes = new AtomicInteger();
          process.run(
              Controller.builder(
                      (request, context) -> {
                        Optional<ConfigMap> map =
                            context.client().resource(ConfigMap.TYPE).find(request);
                        if (map.isEmpty()) {
                          return Result.done();
                        }
                        if (process.clock().now().isBefore(recovery)) {
                          throw new IllegalStateException("not yet");
                        }
                        if (successes.incrementAndGet() == 1) {
                          return Result.requeueAfter(Duration.ofMinutes(4));
                        }
                        context
                            .client()
                            .resource(Secret.TYPE)
                            .create(Secret.of("default", "done", secret -> {}));
                        return Result.done();
                      })
                  .forKind(ConfigMap.TYPE)
                  .named("maps")
                  .build());
        };

    create(setup)
        .atRest(
            "it is done",
            state -> {
              if (state.get(ConfigMap.TYPE.resource(), "default", "a").isPresent()) {
                assertThat(state.list(Secret.TYPE)).hasSize(1);
              }
            })
        .check(Plan.of(0))
        .assertPassed();
  }

  // ---- values that differ

  @Test
  void namesAndValues_thatAreRandom_areNoDifference_butEqualOnesStayEqual() {
    SimulationResult result =
        create(
                process ->
                    process.run(
                        Controller.builder(
                                (request, context) -> {
                                  var secrets = context.client().resource(Secret.TYPE);
                                  Optional<ConfigMap> map =
                                      context.client().resource(ConfigMap.TYPE).find(request);
                                  if (map.isPresent() && secrets.ownedBy(map.get()).isEmpty()) {
                                    String random = "" + process.random().nextInt(1, 1_000_000);
                                    secrets.create(
                                        dev.clientgo.apimachinery.meta.OwnerReferences
                                            .setController(
                                                Secret.of(
                                                    "default",
                                                    "token-" + random,
                                                    s ->
                                                        s.editMetadata(
                                                            m ->
                                                                m.annotations(
                                                                    Map.of("token", random)))),
                                                map.get()));
                                  }
                                  return Result.done();
                                })
                            .forKind(ConfigMap.TYPE)
                            .owns(Secret.TYPE)
                            .build()))
            .seeds(1, 3)
            .without(Kind.STALE_RESTART) // It would make a second one.
            .run();

    result.assertPassed();
    assertThat(result.runs()).isGreaterThan(20);
  }
}
