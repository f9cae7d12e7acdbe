package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.List;
import java.util.Optional;

/**
 * The controller makes two secrets and takes the first for the proof of both. If the process dies
 * between the two creates, the second is never made.
 */
final class CrashBetweenTwoCreatesTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && secrets(context).find("shop-password").isEmpty()) {
      secrets(context).create(Shop.secret(shop.get(), "shop-password"));
      secrets(context).create(Shop.secret(shop.get(), "shop-tls"));
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent()) {
      for (String name : List.of("shop-password", "shop-tls")) {
        if (secrets(context).find(name).isEmpty()) {
          secrets(context).create(Shop.secret(shop.get(), name));
        }
      }
    }
    return Result.done();
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "0 of secrets default/shop-tls";
  }
}
