package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The controller replaces a secret in two steps, and remembers in memory that the second is still
 * to come. After a crash in between nothing remembers it.
 */
final class WorkInMemoryOnlyTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> {
      Set<Request> replacing = new HashSet<>();
      ReconcilerBug.setup(
              (request, context) -> {
                Optional<ConfigMap> shop = ReconcilerBug.shops(context).find(request);
                if (shop.isPresent() && deleteIfOutdated(shop.get(), context)) {
                  replacing.add(request);
                  return Result.requeueAfter(Duration.ofSeconds(1));
                }
                if (shop.isPresent() && (isNew(shop.get()) || replacing.remove(request))) {
                  make(shop.get(), context);
                }
                return Result.done();
              })
          .start(process);
    };
  }

  @Override
  ControllerSetup correct() {
    return ReconcilerBug.setup(
        (request, context) -> {
          Optional<ConfigMap> shop = ReconcilerBug.shops(context).find(request);
          if (shop.isPresent() && deleteIfOutdated(shop.get(), context)) {
            return Result.requeueAfter(Duration.ofSeconds(1));
          }
          if (shop.isPresent() && (isNew(shop.get()) || !hasSecret(context))) {
            make(shop.get(), context);
          }
          return Result.done();
        });
  }

  private static boolean isNew(ConfigMap shop) {
    return !shop.data().containsKey("made");
  }

  private static boolean hasSecret(Context context) throws InterruptedException {
    return ReconcilerBug.secrets(context).find("shop-password").isPresent();
  }

  private static boolean deleteIfOutdated(ConfigMap shop, Context context)
      throws InterruptedException {
    Optional<Secret> secret = ReconcilerBug.secrets(context).find("shop-password");
    if (secret.isEmpty() || Shop.size(secret.get()).equals(Shop.size(shop))) {
      return false;
    }
    ReconcilerBug.secrets(context).delete(secret.get());
    return true;
  }

  private static void make(ConfigMap shop, Context context) throws InterruptedException {
    Secret secret = Shop.secret(shop, "shop-password");
    ReconcilerBug.secrets(context).createOrUpdate(secret, same -> same);
    ReconcilerBug.shops(context).edit(shop, known -> Shop.withNote(known, "made", "yes"));
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step("resize the shop", Shop.resize("big"));
  }

  @Override
  String symptom() {
    return "0 of secrets default/shop-password";
  }
}
