package dev.clientgo.benchmarks.operators;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The Websites of one API server, which the benchmark writes and the operator reconciles. */
final class Sites implements AutoCloseable {

  private static final String NAMESPACE = "sites";
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final RESTClient client;
  private final ResourceClient<Website> sites;
  private final SharedIndexInformer<Website> informer;

  /** How many there are. */
  private int count;

  /** The generation of all of them. */
  private long generation = 1;

  Sites(RESTClient client) throws InterruptedException {
    this.client = client;
    for (String namespace : List.of(NAMESPACE, "website-system")) {
      client
          .resource(Namespace.TYPE)
          .create(Namespace.of(n -> n.editMetadata(m -> m.name(namespace))));
    }
    sites = client.resource(Website.TYPE).inNamespace(NAMESPACE);
    informer = SharedIndexInformer.builder(ListWatch.of(sites::list, sites::watch)).build();
    informer.start();
  }

  void create(int more) throws InterruptedException {
    for (int end = count + more; count < end; count++) {
      Map<String, String> pages = Map.of("index.html", "<h1>Site " + count + "</h1>");
      sites.create(Website.of(NAMESPACE, "site-" + count, w -> w.editSpec(s -> s.pages(pages))));
    }
  }

  /** Changes a page of each. */
  void change() throws InterruptedException {
    generation++;
    Map<String, ?> pages = Map.of("pages", Map.of("index.html", "Version " + generation));
    for (int i = 0; i < count; i++) {
      sites.patch("site-" + i, Patch.merge(Map.of("spec", pages)));
    }
  }

  /** Waits until the operator has reported about all of them as they are now. */
  void awaitReconciled(OperatorProcess operator) throws InterruptedException, TimeoutException {
    Poll.every(POLL)
        .atMost(PATIENCE)
        .until(
            () -> {
              if (!operator.isAlive()) {
                throw new IllegalStateException("the operator has ended");
              }
              return informer.indexer().list().stream().filter(this::isReconciled).count() == count;
            });
  }

  private boolean isReconciled(Website site) {
    Long observed = site.status().observedGeneration();
    return observed != null && observed == generation;
  }

  /**
   * Returns what the children of the first site ask for, without addresses, to compare it with the
   * children that another operator makes.
   *
   * @throws IllegalStateException if a site lacks a child or a finalizer, or the registry a site
   */
  List<Object> children() throws InterruptedException {
    List<Website> all = sites.list().items();
    Map<String, String> registry =
        client.resource(ConfigMap.TYPE).inNamespace("website-system").get("websites").data();
    if (registry.size() != count
        || all.stream().anyMatch(site -> site.metadata().finalizers().isEmpty())) {
      throw new IllegalStateException("the registry has " + registry.size() + " sites");
    }
    Service service =
        owned(client.resource(Service.TYPE))
            .with(s -> s.editSpec(p -> p.clusterIP(null).clusterIPs(null)));
    return List.of(
        owned(client.resource(ConfigMap.TYPE)).data(),
        service.spec(),
        owned(client.resource(Deployment.TYPE)).spec());
  }

  /** Returns the child of the first site; requires that each site has one. */
  private <T extends KubernetesObject> T owned(ResourceClient<T> resource)
      throws InterruptedException {
    List<T> all = resource.inNamespace(NAMESPACE).list().items();
    List<T> owned = all.stream().filter(o -> o.metadata().ownerReferences().size() == 1).toList();
    if (owned.size() != count) {
      throw new IllegalStateException(count + " sites have " + owned.size() + " children");
    }
    return owned.stream()
        .filter(object -> object.metadata().name().equals("site-0"))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    informer.close();
  }
}
