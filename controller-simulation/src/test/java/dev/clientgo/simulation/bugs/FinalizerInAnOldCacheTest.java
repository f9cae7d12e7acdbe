package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.Optional;

/**
 * The controller trusts the finalizer of a shop in its cache. If the cache is old, an earlier
 * process has tidied up and removed the finalizer, and nothing deletes what the controller makes
 * now. {@link FinalizerSet} did the same before a simulation like this one.
 */
final class FinalizerInAnOldCacheTest extends ReconcilerBug {

  private static final String FINALIZER = "example.com/password";

  private final FinalizerSet<ConfigMap> finalizers =
      FinalizerSet.of(ConfigMap.TYPE, FINALIZER, (shop, context) -> tidyUp(context));

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> known = shops(context).find(request);
    if (known.isEmpty()) {
      return Result.done();
    }
    ConfigMap shop = known.get();
    if (shop.metadata().isBeingDeleted()) {
      tidyUp(context);
      shops(context).update(Finalizers.remove(shop, FINALIZER));
      return Result.done();
    }
    if (!Finalizers.contains(shop, FINALIZER)) {
      shops(context).update(Finalizers.add(shop, FINALIZER));
    }
    return makeSecret(context);
  }

  @Override
  Result twin(Request request, Context context) throws Exception {
    return finalizers.reconcile(request, context, (shop, c) -> makeSecret(c));
  }

  /** Makes a secret without an owner: it stands for what no garbage collector sees. */
  private static Result makeSecret(Context context) throws InterruptedException {
    if (secrets(context).find("shop-password").isEmpty()) {
      secrets(context).create(Secret.of(Shop.NAMESPACE, "shop-password", s -> {}));
    }
    return Result.done();
  }

  private static Result tidyUp(Context context) throws InterruptedException {
    secrets(context).deleteIfExists("shop-password");
    return Result.done();
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step("delete the shop", Shop.delete());
  }

  @Override
  String symptom() {
    return "there is secrets default/shop-password";
  }
}
