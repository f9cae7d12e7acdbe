package dev.clientgo.examples.namespaces;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.time.Duration;

/** Follows the web pods and the Foos of some namespaces, with one factory. */
final class NamespaceFollower implements AutoCloseable {

  private final SharedInformerFactory informers;
  private final PrintWriter out;

  NamespaceFollower(RESTClient client, PrintWriter out) {
    this.informers = InformerFactory.create(client).shared();
    this.out = out;
  }

  /** Begins to follow a namespace; returns when its objects are in the cache. */
  void add(String namespace) throws InterruptedException {
    follow(webPods(namespace));
    follow(foos(namespace));
    informers.start(); // Starts only what is new.
    informers.awaitSynced(Duration.ofSeconds(30)).orThrow();
  }

  /** Stops following a namespace, and forgets its objects. */
  void remove(String namespace) {
    informers.stop(webPods(namespace).informer());
    informers.stop(foos(namespace).informer());
    out.println("no longer follows " + namespace);
  }

  /** The factory knows the same informer by the same type, namespace and selectors. */
  private ResourceInformer<Pod> webPods(String namespace) {
    return informers.of(Pod.TYPE).inNamespace(namespace).withLabels("app=web");
  }

  private ResourceInformer<Foo> foos(String namespace) {
    return informers.of(Foo.TYPE).inNamespace(namespace);
  }

  private <T extends KubernetesObject> void follow(ResourceInformer<T> resource) {
    String kind = resource.type().kind().kind();
    resource
        .informer()
        .addEventHandler(
            handler ->
                handler
                    .onAdd(object -> out.println("added " + kind + " " + ObjectName.of(object)))
                    .onDelete(deleted -> out.println("deleted " + kind + " " + deleted.key())));
  }

  /** Says what is in the caches of a namespace. */
  String summary(String namespace) {
    return "%s: %d web pods, %d Foos"
        .formatted(
            namespace,
            webPods(namespace).lister().list().size(),
            foos(namespace).lister().list().size());
  }

  @Override
  public void close() {
    informers.close();
  }
}
