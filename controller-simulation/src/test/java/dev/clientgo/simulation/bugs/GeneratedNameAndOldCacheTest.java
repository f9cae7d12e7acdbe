package dev.clientgo.simulation.bugs;

import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller makes a secret under a generated name if the cache has none. A second reconcile
 * that comes before the event of the first create makes another one. (On the runtime the cache
 * shows a controller's own writes at once; by hand it does not.)
 *
 * <p>https://github.com/argoproj/argo-rollouts/issues/243
 */
final class GeneratedNameAndOldCacheTest extends HandmadeBug {

  @Override
  void bug(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    if (shop.isPresent() && controller.knownSecrets.list().isEmpty()) {
      controller.secrets.create(Shop.secretWithGeneratedName(shop.get()));
    }
  }

  @Override
  void twin(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    if (shop.isPresent() && controller.knownSecrets.list().isEmpty()) {
      controller.secrets.create(Shop.secret(shop.get(), "shop-password"));
    }
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "secrets default/shop-password-";
  }
}
