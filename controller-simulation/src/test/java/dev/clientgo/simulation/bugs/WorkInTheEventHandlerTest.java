package dev.clientgo.simulation.bugs;

import dev.clientgo.clock.Interruptible;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller works in the handler of the event. If that fails, no queue tries it again, and no
 * other event comes.
 */
final class WorkInTheEventHandlerTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> {
      Handmade controller = new Handmade(process);
      controller
          .informers
          .informer(ConfigMap.TYPE)
          .addEventHandler(
              handler ->
                  handler.onAdd(shop -> Interruptible.run(() -> makeSecret(controller, shop))));
      controller.startInformers();
    };
  }

  @Override
  ControllerSetup correct() {
    return process -> {
      Handmade controller = new Handmade(process);
      controller.start(
          name -> {
            Optional<ConfigMap> shop = controller.knownShop();
            if (shop.isPresent()) {
              makeSecret(controller, shop.get());
            }
          });
    };
  }

  private static void makeSecret(Handmade controller, ConfigMap shop) throws InterruptedException {
    if (controller.secrets.find("shop-password").isEmpty()) {
      controller.secrets.create(Shop.secret(shop, "shop-password"));
    }
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "0 of secrets default/shop-password";
  }
}
