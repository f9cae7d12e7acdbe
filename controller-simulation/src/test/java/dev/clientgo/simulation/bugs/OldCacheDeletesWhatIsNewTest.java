package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller deletes a secret whose shop is not in the cache. After a restart the cache may
 * show the time at which the first shop was deleted, although there is a second one with a secret
 * of the same name. (Sieve: stale state.)
 *
 * <p>https://github.com/Orange-OpenSource/casskop/issues/316
 */
final class OldCacheDeletesWhatIsNewTest extends HandmadeBug {

  @Override
  void bug(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    Optional<Secret> secret = controller.knownSecret();
    if (secret.isPresent() && !isOf(secret.get(), shop)) {
      controller.secrets.deleteIfExists("shop-password");
    } else if (shop.isPresent() && secret.isEmpty()) {
      controller.secrets.create(Shop.secret(shop.get(), "shop-password"));
    }
  }

  @Override
  void twin(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    Optional<Secret> secret = controller.knownSecret();
    if (secret.isPresent() && !isOf(secret.get(), shop)) {
      // The server knows whether the shop is gone, and deletes this secret and no other.
      if (!isOf(secret.get(), controller.shops.find("shop"))) {
        Preconditions thisOne = Preconditions.ofUid(secret.get().metadata().uid());
        controller.secrets.delete(
            "shop-password", DeleteOptions.builder().preconditions(thisOne).build());
      }
    } else if (shop.isPresent() && secret.isEmpty()) {
      controller.secrets.create(Shop.secret(shop.get(), "shop-password"));
    }
  }

  private static boolean isOf(Secret secret, Optional<ConfigMap> shop) {
    return shop.isPresent() && OwnerReferences.isControlledBy(secret, shop.get());
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step("delete the shop", Shop.delete())
        .step("create the shop again", Shop.create("big"));
  }

  @Override
  String symptom() {
    return "because of an old view, and created it again";
  }
}
