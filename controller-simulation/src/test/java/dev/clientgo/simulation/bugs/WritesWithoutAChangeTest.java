package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.time.Duration;
import java.util.Optional;

/**
 * The controller writes the shop every minute, although there is nothing to change. Each write
 * costs the server as much as one that changes something.
 */
final class WritesWithoutAChangeTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent()) {
      shops(context).update(Shop.withNote(shop.get(), "served", "yes"));
    }
    return Result.requeueAfter(Duration.ofMinutes(1));
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent()) {
      shops(context).edit(shop.get(), known -> Shop.withNote(known, "served", "yes"));
    }
    return Result.requeueAfter(Duration.ofMinutes(1));
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "again and again without a change";
  }
}
