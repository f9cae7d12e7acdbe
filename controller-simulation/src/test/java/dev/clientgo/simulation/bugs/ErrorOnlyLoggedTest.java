package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/** The controller logs an error of the server and returns. The queue takes that for a success. */
final class ErrorOnlyLoggedTest extends ReconcilerBug {

  private static final System.Logger LOGGER = System.getLogger(ErrorOnlyLoggedTest.class.getName());

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    try {
      return twin(request, context);
    } catch (KubernetesException e) {
      LOGGER.log(System.Logger.Level.DEBUG, "The secret could not be created.", e);
      return Result.done();
    }
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && secrets(context).find("shop-password").isEmpty()) {
      secrets(context).create(Shop.secret(shop.get(), "shop-password"));
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
