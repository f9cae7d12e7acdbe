package dev.clientgo.simulation.bugs;

import static dev.clientgo.simulation.bugs.ReconcilerBug.secrets;
import static dev.clientgo.simulation.bugs.ReconcilerBug.shops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.ExploredOrders;
import dev.clientgo.simulation.SimulatedRun;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two controllers of one shop. One writes the whole shop over what the other has written meanwhile.
 * Each alone is correct.
 */
@Timeout(300)
final class TwoControllersTest {

  /** Registers the shop once: a secret remembers that. */
  private static final Reconciler REGISTERING =
      (request, context) -> {
        Optional<ConfigMap> shop = shops(context).find("shop");
        if (shop.isPresent() && secrets(context).uncached().find("shop-number").isEmpty()) {
          shops(context).patch("shop", Shop.note("number", "1"));
          secrets(context).create(Shop.secret(shop.get(), "shop-number"));
        }
        return Result.done();
      };

  private static ControllerSetup run(Reconciler reconciler) {
    return process ->
        process.run(
            Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build());
  }

  /** Serves the shop: reads it, and writes it with a note. */
  private static ControllerSetup serving(boolean overOthers) {
    return run(
        (request, context) -> {
          Optional<ConfigMap> shop = shops(context).uncached().find("shop");
          if (shop.isPresent() && !shop.get().data().containsKey("served")) {
            ConfigMap served = Shop.withNote(shop.get(), "served", "yes");
            shops(context)
                .uncached()
                .update(
                    overOthers
                        ? served.with(s -> s.editMetadata(m -> m.resourceVersion(null)))
                        : served);
          }
          return Result.done();
        });
  }

  private static ControllerSetup registering() {
    return run(REGISTERING);
  }

  private static ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Test
  void orderThatLosesAWrite_isFoundAndReplayed() {
    ControllerSimulation both = simulation(serving(true)).together(registering()).mostFailures(1);

    ExploredOrders result = both.exploreOrders(300);

    assertThat(result.failures()).as("%s", result).hasSize(1);
    SimulatedRun failure = result.failures().get(0);
    System.out.println(result + " " + failure.plan() + " " + failure.violations());
    assertThat(failure.plan().toString()).startsWith("0+order:");
    assertThat(failure.violations()).anyMatch(text -> text.contains("configmaps default/shop is"));
    for (int i = 0; i < Pair.REPLAYS; i++) {
      assertThat(both.replay(failure.plan().toString())).isEqualTo(failure);
    }
  }

  @Test
  void writeWithAVersion_isSilentInEachOrder() {
    ExploredOrders result = simulation(serving(false)).together(registering()).exploreOrders(300);

    result.assertPassed();
    System.out.println(result);
    assertThat(result.toString()).matches("bounded: [0-9]+ states, [0-9]+ orders, bound 300");
    assertThat(result.orders()).isGreaterThan(10);
    assertThat(result.states()).isGreaterThan(10);
  }

  /** The lease of one says nothing about the other. */
  @Test
  void controllerWithoutALease_besideOneWithALease_isSilent() {
    ControllerSetup leading =
        process -> {
          Manager manager =
              process.manager().leaderElection(LeaseLock.of("default", "lock")).build();
          manager.add(
              Controller.builder(REGISTERING).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build());
          process.onStop(manager);
          manager.run();
        };
    ControllerSimulation both = simulation(serving(false)).together(leading);

    both.replay("0").assertPassed();
    SimulatedRun moved = both.replay("0+shard-moves:1");
    moved.assertPassed();
    assertThat(moved.history()).noneMatch(line -> line.contains("controller-3"));
  }

  @Test
  void controllerThatDoesNothing_isNamed() {
    ControllerSetup idle =
        process -> process.run(Controller.builder(REGISTERING).forKind(Pod.TYPE).build());

    ExploredOrders result = simulation(serving(false)).together(idle).exploreOrders(5);

    assertThat(result.failures())
        .singleElement()
        .satisfies(
            run -> assertThat(run.violations().get(0)).contains("a controller does nothing"));
    simulation(serving(false))
        .together(idle)
        .outside("a controller does nothing")
        .replay("0")
        .assertPassed();
  }

  @Test
  void ordersOfNothing_doNotPass() {
    ControllerSimulation both = ControllerSimulation.of(serving(false)).together(registering());
    ExploredOrders withoutASwitch = both.exploreOrders(50);
    ExploredOrders usual = both.step("create the shop", Shop.create("small")).exploreOrders(1);

    for (ExploredOrders result : List.of(withoutASwitch, usual)) {
      assertThat(result.failures()).isEmpty();
      assertThatThrownBy(result::assertPassed).hasMessageContaining("no other order was tried");
    }
  }

  /** In the usual order already. */
  @Test
  void controllersThatFight_areFound() {
    ExploredOrders result = simulation(writing("up")).together(writing("down")).exploreOrders(5);

    assertThat(result.failures())
        .singleElement()
        .satisfies(run -> assertThat(run.violations().get(0)).contains("it does not come to rest"));
  }

  private static ControllerSetup writing(String what) {
    return run(
        (request, context) -> {
          Optional<ConfigMap> shop = shops(context).find("shop");
          if (shop.isPresent() && !what.equals(shop.get().data().get("state"))) {
            shops(context).patch("shop", Shop.note("state", what));
          }
          return Result.done();
        });
  }

  @Test
  void eachController_isSilentAlone() {
    simulation(serving(true)).seeds(1, 5).run().assertPassed();
    simulation(registering()).seeds(1, 5).run().assertPassed();
    simulation(serving(true)).exploreOrders(50).assertPassed();
    simulation(registering()).exploreOrders(50).assertPassed();
  }
}
