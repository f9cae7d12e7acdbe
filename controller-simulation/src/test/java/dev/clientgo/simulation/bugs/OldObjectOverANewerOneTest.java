package dev.clientgo.simulation.bugs;

import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller writes an object of its cache without the version, so that there are no conflicts.
 * If the cache is old, it takes back what the user has changed meanwhile.
 */
final class OldObjectOverANewerOneTest extends HandmadeBug {

  @Override
  void bug(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    if (shop.isPresent() && !shop.get().data().containsKey("served")) {
      ConfigMap served = Shop.withNote(shop.get(), "served", "yes");
      controller.shops.update(
          served.with(map -> map.editMetadata(metadata -> metadata.resourceVersion(null))));
    }
  }

  @Override
  void twin(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    if (shop.isPresent() && !shop.get().data().containsKey("served")) {
      // The server refuses it if the cache is old. The next reconcile has a newer one.
      controller.shops.update(Shop.withNote(shop.get(), "served", "yes"));
    }
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step("paint the shop", Shop.paint("red"));
  }

  @Override
  String symptom() {
    return "configmaps default/shop is";
  }
}
