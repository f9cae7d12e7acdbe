package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.util.List;
import java.util.Optional;

/**
 * The controller removes its finalizer and then tidies up. If the process dies in between, nothing
 * tells the next one that there is something to tidy up.
 */
final class FinalizerRemovedTooSoonTest extends ReconcilerBug {

  private static final String FINALIZER = "example.com/password";

  @Override
  Result bug(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && isDeleted(shop.get())) {
      shops(context).update(withFinalizers(shop.get(), List.of()));
      secrets(context).deleteIfExists("shop-password");
    } else if (shop.isPresent()) {
      makeSecret(context);
    }
    return Result.done();
  }

  @Override
  Result twin(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shops(context).find(request);
    if (shop.isPresent() && isDeleted(shop.get())) {
      secrets(context).deleteIfExists("shop-password");
      shops(context).update(withFinalizers(shop.get(), List.of()));
    } else if (shop.isPresent()) {
      makeSecret(context);
    }
    return Result.done();
  }

  /** Makes a secret without an owner: it stands for what no garbage collector sees. */
  private static void makeSecret(Context context) throws InterruptedException {
    if (secrets(context).find("shop-password").isPresent()) {
      return;
    }
    // The cache may be so old that the shop has lost its finalizer and is gone: asks the server.
    shops(context)
        .uncached()
        .edit("shop", now -> isDeleted(now) ? now : withFinalizers(now, List.of(FINALIZER)));
    secrets(context).create(Secret.of(Shop.NAMESPACE, "shop-password", s -> {}));
  }

  private static boolean isDeleted(ConfigMap shop) {
    return shop.metadata().deletionTimestamp() != null;
  }

  private static ConfigMap withFinalizers(ConfigMap shop, List<String> finalizers) {
    return shop.with(map -> map.editMetadata(metadata -> metadata.finalizers(finalizers)));
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
