package dev.clientgo.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.simulation.SimulatedRun;
import dev.clientgo.simulation.plan.Plan;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A leader that makes two secrets loses its lease between them, and a stand-by takes over. */
final class LeaderChangeTest {

  private static ControllerSimulation simulation(boolean fenced) {
    return ControllerSimulation.of(
            process ->
                WriteWithoutLeadershipTest.lead(
                    process, term -> work(process, fenced ? term.client() : process.client())))
        .processes(2)
        .step("create the shop", Shop.create("small"));
  }

  private static void work(SimulatedProcess process, RESTClient client)
      throws InterruptedException {
    ResourceClient<Secret> secrets = client.resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
    Handmade controller = new Handmade(process);
    controller.start(
        name -> {
          Optional<ConfigMap> shop = controller.knownShop();
          for (String secret : List.of("shop-password", "shop-tls")) {
            if (shop.isPresent() && secrets.find(secret).isEmpty()) {
              secrets.create(Shop.secret(shop.get(), secret));
            }
          }
        });
  }

  @Test
  void leaderThatGoesOn_isFound() {
    SimulatedRun run = simulation(false).check(Plan.parse("0+leader-change:1"));

    assertThat(run.violations())
        .as(run.describe())
        .anyMatch(
            violation ->
                violation.startsWith("controller-1 writes without leadership: create secrets"));
  }

  @Test
  void leaderWhoseClientIsFenced_leavesTheRestToTheStandBy() {
    SimulatedRun run = simulation(true).check(Plan.parse("0+leader-change:1"));

    run.assertPassed();
    assertThat(run.history())
        .anyMatch(line -> line.contains("FAULT          controller-1 cannot renew its lease"))
        .anyMatch(line -> line.contains("controller-2   holds the lease default/shops"))
        .anyMatch(line -> line.contains("controller-2   create secrets default -> 201"));
  }

  @Test
  void leaderChange_isAPlanOfControllersThatElect() {
    assertThat(simulation(true).plans())
        .as(simulation(true).check(Plan.of(0)).describe())
        .contains(Plan.parse("0+leader-change:1"), Plan.parse("0+leader-change:2"));
  }

  @Test
  void leaderThatIsAskedToStop_givesUpItsLease() {
    ControllerSimulation simulation =
        ControllerSimulation.of(
                process -> {
                  Manager manager =
                      process.manager().leaderElection(LeaseLock.of("default", "shops")).build();
                  process.onStop(manager);
                  manager.add(
                      Controller.builder(LeaderChangeTest::keepPassword)
                          .forKind(ConfigMap.TYPE)
                          .owns(Secret.TYPE)
                          .build());
                  manager.run();
                })
            .processes(2)
            .step("create the shop", Shop.create("small"));

    SimulatedRun run = simulation.replay("0+terminate:1");

    run.assertPassed();
    assertThat(run.history())
        .as(run.describe())
        .anyMatch(line -> line.contains("controller-1   gives up the lease default/shops"))
        .anyMatch(line -> line.contains("controller-1   has stopped"))
        .anyMatch(line -> line.contains("controller-2   holds the lease default/shops"))
        .anyMatch(line -> line.contains("controller-1.2 starts"));
    assertThat(simulation.plans()).contains(Plan.parse("0+terminate:1"));
  }

  private static Result keepPassword(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = ReconcilerBug.shops(context).find("shop");
    if (shop.isPresent() && ReconcilerBug.secrets(context).find("shop-password").isEmpty()) {
      ReconcilerBug.secrets(context).create(Shop.secret(shop.get(), "shop-password"));
    }
    return Result.done();
  }
}
