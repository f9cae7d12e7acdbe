package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.simulation.SimulationResult;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both steps of the lesson in a simulation: crashes, lost answers, old caches. */
final class FooSimulationTest {

  /** {@code -Dsimulation.seeds=1000} tries more random plans. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 10);

  /** {@code -Dsimulation.systematic=1000} tries each fault at each place. */
  private static final int SYSTEMATIC = Integer.getInteger("simulation.systematic", 60);

  private static final Logger LOGS = Logger.getLogger("");

  @BeforeAll
  static void switchLogsOff() {
    LOGS.setLevel(Level.OFF); // Each fault would be some lines; a failure has its history.
  }

  @AfterAll
  static void switchLogsOn() {
    LOGS.setLevel(Level.INFO);
  }

  @Test
  void firstStep_byHand_survives() {
    survives(simulation(FooSimulationTest::startByHand));
  }

  private static void startByHand(SimulatedProcess process) throws InterruptedException {
    RateLimitingQueue<ObjectName> queue = process.queue();
    FooController controller =
        new FooController(
            process.client(),
            process.informers().build(),
            queue,
            Duration.ofSeconds(5),
            new PrintWriter(Writer.nullWriter()));
    controller.start(process.workers(queue, controller::reconcile));
  }

  @Test
  void secondStep_withTheRuntime_survives() {
    // Its apply does not force: what a user has set is a conflict, which it reports.
    survives(
        simulation(process -> FooLesson.manager(process.manager()).start())
            .without(Kind.EDIT_CHILDREN));
  }

  private static ControllerSimulation simulation(ControllerSetup controller) {
    return ControllerSimulation.of(controller)
        .prepare(FooDefinition::install)
        .environment(
            process ->
                process.run(
                    Controller.builder(FooSimulationTest::runPods)
                        .named("deployments")
                        .forKind(Deployment.TYPE)
                        .build()))
        .step("create a Foo", client -> foos(client).create(foo()))
        .step("scale it", FooSimulationTest::scale)
        .step("delete its Deployment by mistake", client -> deployments(client).delete("web"))
        .step("delete it", client -> foos(client).delete("web"))
        .mostSystematic(SYSTEMATIC)
        .seeds(1, SEEDS);
  }

  private static void survives(ControllerSimulation simulation) {
    SimulationResult result = simulation.run();
    System.out.println("Foo: " + result);
    result.assertPassed();
  }

  private static Foo foo() {
    return Foo.of("default", "web", foo -> foo.editSpec(s -> s.deploymentName("web").replicas(1)));
  }

  private static void scale(RESTClient client) throws InterruptedException {
    foos(client).edit("web", foo -> foo.with(f -> f.editSpec(s -> s.replicas(3))));
  }

  private static ResourceClient<Foo> foos(RESTClient client) {
    return client.resource(Foo.TYPE).inNamespace("default");
  }

  private static ResourceClient<Deployment> deployments(RESTClient client) {
    return client.resource(Deployment.TYPE).inNamespace("default");
  }

  /** Reports all replicas of a Deployment as available. */
  private static Result runPods(Request request, Context context) throws InterruptedException {
    CachedResource<Deployment> deployments = context.client().resource(Deployment.TYPE);
    Optional<Deployment> known = deployments.find(request);
    if (known.isPresent()) {
      Integer replicas = known.get().spec().replicas();
      deployments.editStatus(
          known.get(), d -> d.with(b -> b.editStatus(s -> s.availableReplicas(replicas))));
    }
    return Result.done();
  }
}
