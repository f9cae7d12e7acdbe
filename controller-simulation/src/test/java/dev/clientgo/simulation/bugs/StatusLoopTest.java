package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller writes something else with each reconcile. Its own write is an event that leads to
 * the next one, forever.
 */
final class StatusLoopTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent()) {
      int checks = Integer.parseInt(shop.get().data().getOrDefault("checks", "0"));
      shops(context).update(Shop.withNote(shop.get(), "checks", String.valueOf(checks + 1)));
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && !shop.get().data().containsKey("checks")) {
      shops(context).update(Shop.withNote(shop.get(), "checks", "1"));
    }
    return Result.done();
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "does not come to rest";
  }
}
