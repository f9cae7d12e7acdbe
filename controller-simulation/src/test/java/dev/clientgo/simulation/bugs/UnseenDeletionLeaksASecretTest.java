package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.util.Optional;

/**
 * The controller deletes the secret of a shop when it hears that the shop is deleted. If it never
 * hears of that, because the shop was created again before the next list, the secret stays for
 * ever. (Sieve: unobserved state.)
 */
final class UnseenDeletionLeaksASecretTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> {
      Handmade controller = new Handmade(process);
      RateLimitingQueue<ObjectName> deleted = process.queue();
      controller
          .informers
          .informer(ConfigMap.TYPE)
          .addEventHandler(
              handler -> handler.onDelete(shop -> deleted.add(secretOf(shop.lastKnown()))));
      controller.start(name -> makeSecret(controller));
      process.workers(deleted, name -> controller.secrets.deleteIfExists(name.name())).start();
    };
  }

  @Override
  ControllerSetup correct() {
    return process -> {
      Handmade controller = new Handmade(process);
      controller.start(
          name -> {
            deleteSecretsWithoutAShop(controller);
            makeSecret(controller);
          });
    };
  }

  /** Compares the secrets that are there with the shop that is there, whatever has happened. */
  private static void deleteSecretsWithoutAShop(Handmade controller) throws InterruptedException {
    for (Secret secret : controller.knownSecrets.list()) {
      if (!isOf(secret, controller.knownShop()) && !isOf(secret, controller.shops.find("shop"))) {
        controller.secrets.deleteIfExists(secret.metadata().name());
      }
    }
  }

  private static boolean isOf(Secret secret, Optional<ConfigMap> shop) {
    return shop.isPresent() && OwnerReferences.isControlledBy(secret, shop.get());
  }

  private static void makeSecret(Handmade controller) throws InterruptedException {
    Optional<ConfigMap> shop = controller.knownShop();
    if (shop.isPresent() && controller.knownSecrets.find(secretOf(shop.get())).isEmpty()) {
      controller.secrets.create(Shop.secret(shop.get(), secretOf(shop.get()).name()));
    }
  }

  /** The name of the secret has the size, so that shops of two sizes have two secrets. */
  private static ObjectName secretOf(ConfigMap shop) {
    return new ObjectName(Shop.NAMESPACE, "shop-" + Shop.size(shop));
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .garbageCollection(false) // A secret stands for what it does not see.
        .step("create the shop", Shop.create("small"))
        .step("delete the shop", Shop.delete())
        .step("create the shop again", Shop.create("big"));
  }

  @Override
  String symptom() {
    return "there is secrets default/shop-small";
  }
}
