package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller notes on the shop that the secret is made, and then makes it. If the process dies
 * in between, or the create fails, the note is wrong forever.
 */
final class DoneBeforeItIsDoneTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && !shop.get().data().containsKey("made")) {
      shops(context).update(Shop.withNote(shop.get(), "made", "yes"));
      secrets(context).create(Shop.secret(shop.get(), "shop-password"));
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && !shop.get().data().containsKey("made")) {
      Secret secret = Shop.secret(shop.get(), "shop-password");
      secrets(context).createOrUpdate(secret, same -> same);
      shops(context).update(Shop.withNote(shop.get(), "made", "yes"));
    }
    return Result.done();
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
