package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The controller watches by itself. If the version of its watch has expired, it begins again with
 * the latest version, and never hears of the changes in between.
 */
final class ExpiredWatchTest extends BugAndTwin {

  @Override
  ControllerSetup buggy() {
    return process -> follow(process, false);
  }

  @Override
  ControllerSetup correct() {
    return process -> follow(process, true);
  }

  private static void follow(SimulatedProcess process, boolean servesEachList)
      throws InterruptedException {
    ResourceClient<ConfigMap> shops =
        process.client().resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
    boolean first = true;
    while (true) {
      ResourceList<ConfigMap> list = shops.list();
      if (first || servesEachList) {
        for (ConfigMap shop : list.items()) {
          serve(shops, shop);
        }
      }
      first = false;
      watch(shops, list.metadata().resourceVersion());
      process.clock().sleep(Duration.ofSeconds(1));
    }
  }

  /** Serves the shops that change, until the watch ends. */
  private static void watch(ResourceClient<ConfigMap> shops, String version)
      throws InterruptedException {
    ListOptions options = ListOptions.builder().resourceVersion(version).build();
    try (Watch<ConfigMap> watch = shops.watch(options)) {
      Optional<WatchEvent<ConfigMap>> event = watch.next();
      while (event.isPresent() && !(event.get() instanceof WatchEvent.Failed<ConfigMap>)) {
        if (event.get() instanceof WatchEvent.Added<ConfigMap>
            || event.get() instanceof WatchEvent.Modified<ConfigMap>) {
          serve(shops, Objects.requireNonNull(event.get().value()));
        }
        event = watch.next();
      }
    }
  }

  /** If it throws, the process ends, and the next one lists again. */
  private static void serve(ResourceClient<ConfigMap> shops, ConfigMap shop)
      throws InterruptedException {
    if (!Shop.size(shop).equals(shop.data().get("served"))) {
      shops.update(Shop.withNote(shop, "served", Shop.size(shop)));
    }
  }

  @Override
  ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create the shop", Shop.create("small"))
        .step("resize the shop", Shop.resize("big"));
  }

  @Override
  String symptom() {
    return "configmaps default/shop is";
  }
}
