package dev.clientgo.simulation;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Controllers that make a secret for each config map, and the workload for them. */
final class Secrets {

  private Secrets() {}

  /** Returns a simulation with the steps create, delete and create again. */
  static ControllerSimulation simulation(ControllerSetup setup) {
    return ControllerSimulation.of(setup)
        .step("create", Secrets::createMap)
        .step(
            "delete", client -> client.resource(ConfigMap.TYPE).inNamespace("default").delete("a"))
        .step("create again", Secrets::createMap);
  }

  static void createMap(RESTClient client) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", "a", map -> map.data(Map.of("text", "one"))));
  }

  /** Looks before it creates, and leaves deletion to the garbage collector: it is correct. */
  static void lookingFirst(SimulatedProcess process) {
    process.run(controller(lookingFirst()));
  }

  /** Remembers in memory what it has made: a crash makes it create twice. */
  static void rememberingInMemory(SimulatedProcess process) {
    Set<String> made = new HashSet<>();
    Reconciler reconciler =
        (request, context) -> {
          if (context.client().resource(ConfigMap.TYPE).find(request).isPresent()
              && made.add(request.name())) {
            ObjectMeta metadata =
                ObjectMeta.builder().namespace("default").generateName("s-").build();
            context
                .client()
                .resource(Secret.TYPE)
                .create(Secret.builder().metadata(metadata).build());
          }
          return Result.done();
        };
    process.run(controller(reconciler));
  }

  /** The correct one, of which one process at a time works. */
  static void elected(SimulatedProcess process) throws InterruptedException {
    Manager manager = process.manager().leaderElection(LeaseLock.of("default", "secrets")).build();
    manager.add(controller(lookingFirst()));
    manager.run();
  }

  /** Waits for each map, with a timeout, after a discovery by many requests at once. */
  static void awaiting(SimulatedProcess process) throws InterruptedException {
    DiscoveryClient.legacy(process.client()).serverGroupsAndResources();
    ResourceClient<ConfigMap> maps =
        process.client().resource(ConfigMap.TYPE).inNamespace("default");
    ResourceClient<Secret> secrets = process.client().resource(Secret.TYPE).inNamespace("default");
    while (true) {
      try {
        Optional<ConfigMap> map = maps.await("a", Optional::isPresent, Duration.ofSeconds(100));
        if (map.isPresent() && secrets.find("a").isEmpty()) {
          secrets.create(secret(map.get()));
        }
        maps.await("a", Optional::isEmpty, Duration.ofSeconds(100));
      } catch (TimeoutException e) {
        process.clock().sleep(Duration.ofSeconds(1));
      }
    }
  }

  /** The correct one, written by hand on an informer and a queue. */
  static void byHand(SimulatedProcess process) throws InterruptedException {
    RateLimitingQueue<ObjectName> queue = process.queue();
    SharedInformerFactory informers = process.informers().build();
    SharedIndexInformer<ConfigMap> maps = informers.informer(ConfigMap.TYPE);
    maps.addEventHandler(ResourceEventHandler.keys(queue::add));
    informers.start();
    informers.awaitSynced(Duration.ofMinutes(1));
    process.workers(queue, name -> makeSecret(process.client(), maps, name)).count(2).start();
  }

  private static void makeSecret(
      RESTClient client, SharedIndexInformer<ConfigMap> maps, ObjectName name)
      throws InterruptedException {
    var map = maps.indexer().getByKey(name.toString());
    if (map.isPresent()
        && client.resource(Secret.TYPE).inNamespace("default").find(name.name()).isEmpty()) {
      client.resource(Secret.TYPE).create(secret(map.get()));
    }
  }

  private static Reconciler lookingFirst() {
    return (request, context) -> {
      var map = context.client().resource(ConfigMap.TYPE).find(request);
      if (map.isPresent() && context.client().resource(Secret.TYPE).find(request).isEmpty()) {
        context.client().resource(Secret.TYPE).create(secret(map.get()));
      }
      return Result.done();
    };
  }

  /** Returns the correct one. */
  static Controller controller() {
    return controller(lookingFirst());
  }

  private static Controller controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build();
  }

  private static Secret secret(ConfigMap map) {
    OwnerReference owner = OwnerReferences.newControllerRef(map);
    return Secret.of(
        "default",
        map.metadata().name(),
        secret -> secret.editMetadata(metadata -> metadata.ownerReferences(List.of(owner))));
  }
}
