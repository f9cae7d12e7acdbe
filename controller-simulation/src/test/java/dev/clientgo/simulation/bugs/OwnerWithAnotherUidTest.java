package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller knows the secret of a shop by its name alone. If it has not seen that the shop was
 * deleted and created again, the new shop keeps the secret of the old one.
 */
final class OwnerWithAnotherUidTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    Optional<Secret> secret = secrets(context).find("shop-password");
    if (shop.isEmpty()) {
      deleteIfTheShopIsGone(secret, context);
    } else if (secret.isEmpty()) {
      secrets(context).create(Shop.secret(shop.get(), "shop-password"));
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    Optional<Secret> secret = secrets(context).find("shop-password");
    if (secret.isPresent() && !isOf(secret.get(), shop)) {
      deleteIfTheShopIsGone(secret, context); // And its event leads to another reconcile.
    } else if (shop.isPresent() && secret.isEmpty()) {
      secrets(context).create(Shop.secret(shop.get(), "shop-password"));
    }
    return Result.done();
  }

  /** Asks the server, because the cache may not know a new shop yet. */
  private static void deleteIfTheShopIsGone(Optional<Secret> secret, Context context)
      throws InterruptedException {
    if (secret.isPresent() && !isOf(secret.get(), shops(context).uncached().find("shop"))) {
      secrets(context).delete(secret.get());
    }
  }

  private static boolean isOf(Secret secret, Optional<ConfigMap> shop) {
    return shop.isPresent() && OwnerReferences.isControlledBy(secret, shop.get());
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .garbageCollection(false) // A secret stands for what it does not see.
        .step("create the shop", Shop.create("small"))
        .step("delete the shop", Shop.delete())
        .step("create the shop again", Shop.create("big"));
  }

  @Override
  String symptom() {
    return "secrets default/shop-password is";
  }
}
