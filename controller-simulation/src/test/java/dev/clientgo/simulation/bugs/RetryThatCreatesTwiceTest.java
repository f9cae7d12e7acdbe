package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller tries again if the server does not answer. The first create may have taken place,
 * though, and the server makes another name for the second.
 */
final class RetryThatCreatesTwiceTest extends ReconcilerBug {

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && secrets(context).list().isEmpty()) {
      Secret secret = Shop.secretWithGeneratedName(shop.get());
      try {
        secrets(context).create(secret);
      } catch (TransportException e) {
        secrets(context).create(secret);
      }
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && secrets(context).list().isEmpty()) {
      Secret secret = Shop.secret(shop.get(), "shop-password");
      try {
        secrets(context).create(secret);
      } catch (TransportException e) {
        secrets(context).create(secret); // Fails if it is there, and the next reconcile sees it.
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
    return "secrets default/shop-password";
  }
}
