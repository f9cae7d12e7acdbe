package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.workqueue.ItemHandler;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.Optional;

/**
 * The parts of a controller by hand: informers of shops and secrets with their caches, clients, and
 * a queue of the names of shops. All of them take their clock and their threads from the process.
 */
final class Handmade {

  final SimulatedProcess process;
  final ResourceClient<ConfigMap> shops;
  final ResourceClient<Secret> secrets;
  final SharedInformerFactory informers;
  final Lister<ConfigMap> knownShops;
  final Lister<Secret> knownSecrets;
  final RateLimitingQueue<ObjectName> queue;

  Handmade(SimulatedProcess process) {
    this.process = process;
    shops = process.client().resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
    secrets = process.client().resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
    informers = process.informers().build();
    knownShops = informers.of(ConfigMap.TYPE).lister();
    knownSecrets = informers.of(Secret.TYPE).lister();
    queue = process.queue();
  }

  /** Starts the informers, and a worker that handles the names of shops. */
  void start(ItemHandler<ObjectName, Exception> handler) throws InterruptedException {
    informers.informer(ConfigMap.TYPE).addEventHandler(ResourceEventHandler.keys(queue::add));
    informers
        .informer(Secret.TYPE)
        .addEventHandler(ResourceEventHandler.owners(ConfigMap.TYPE, queue::add));
    startInformers();
    process.workers(queue, handler).start();
  }

  void startInformers() throws InterruptedException {
    informers.start();
    informers.awaitSynced(Duration.ofMinutes(10)).orThrow();
  }

  Optional<ConfigMap> knownShop() {
    return knownShops.find(Shop.OBJECT_NAME);
  }

  Optional<Secret> knownSecret() {
    return knownSecrets.find(Shop.SECRET_NAME);
  }
}
