package dev.clientgo.simulation.bugs;

import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeadershipTerm;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.Optional;

/**
 * The workers of a leader continue after its term. A write that was on its way for a minute arrives
 * although another process leads by then.
 */
final class WriteWithoutLeadershipTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> lead(process, term -> work(process, process.client()));
  }

  @Override
  ControllerSetup correct() {
    return process -> lead(process, term -> work(process, term.client()));
  }

  /** Does the work of a leader. */
  interface Work {
    void start(LeadershipTerm term) throws InterruptedException;
  }

  static void lead(SimulatedProcess process, Work work) throws InterruptedException {
    LeaderElector.builder(process.client(), LeaseLock.of("default", "shops"), process.identity())
        .clock(process.clock())
        .random(process.random())
        .threadFactory(process.threads())
        .onStartedLeading(work::start)
        .onStoppedLeading(() -> {})
        .build()
        .run();
    process.clock().sleep(Duration.ofMinutes(2)); // A program may take its time to end.
    throw new IllegalStateException("no longer the leader: another process starts");
  }

  private static void work(SimulatedProcess process, RESTClient client)
      throws InterruptedException {
    ResourceClient<ConfigMap> shops = client.resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
    Handmade controller = new Handmade(process);
    controller.start(
        name -> {
          Optional<ConfigMap> shop = controller.knownShop();
          if (shop.isPresent() && !shop.get().data().containsKey("served")) {
            shops.patch("shop", Shop.note("served", "yes"));
          }
        });
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .processes(2)
        .mostSystematic(20) // Each run has renewals of the lease.
        .step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "writes without leadership";
  }
}
