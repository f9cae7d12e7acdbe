package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.util.Optional;

/**
 * The queue holds objects in place of names. If the write for an old state fails, it is tried again
 * after that for the newer state has succeeded, and the old state wins.
 */
final class QueueOfObjectsTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> {
      Handmade controller = new Handmade(process);
      RateLimitingQueue<ConfigMap> queue = process.queue();
      controller
          .informers
          .informer(ConfigMap.TYPE)
          .addEventHandler(
              handler -> handler.onAdd(queue::add).onUpdate((before, after) -> queue.add(after)));
      controller.startInformers();
      process.workers(queue, shop -> serve(controller, shop)).start();
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
              serve(controller, shop.get());
            }
          });
    };
  }

  private static void serve(Handmade controller, ConfigMap shop) throws InterruptedException {
    controller.secrets.apply(Shop.secret(shop, "shop-password"), ApplyOptions.of("shops"));
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step(
            "resize the shop twice",
            client -> {
              Shop.resize("medium").run(client);
              Shop.resize("big").run(client);
            });
  }

  @Override
  String symptom() {
    return "secrets default/shop-password is";
  }
}
