package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller takes a conflict for a sign that the work is done, because another writer was
 * there. Its own change is lost.
 */
final class ConflictTakenForSuccessTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    try {
      return twin(request, context);
    } catch (ApiStatusException e) {
      if (e.isConflict()) {
        return Result.done();
      }
      throw e;
    }
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && !shop.get().data().containsKey("served")) {
      shops(context).update(Shop.withNote(shop.get(), "served", "yes"));
    }
    return Result.done();
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup).step("create the shop", Shop.create("small"));
  }

  @Override
  String symptom() {
    return "configmaps default/shop is";
  }
}
