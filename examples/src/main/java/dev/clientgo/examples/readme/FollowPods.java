package dev.clientgo.examples.readme;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.time.Duration;

/** The program of the README. */
final class FollowPods implements ResourceEventHandler<Unstructured> {

  @Override
  public void onAdd(Unstructured pod, boolean isInInitialList) {
    System.out.println("added " + pod.metadata().namespace() + "/" + pod.metadata().name());
  }

  public static void main(String[] args) throws InterruptedException {
    var podType = Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);
    try (var client = RESTClient.create(KubeConfigLoader.standard().load())) {
      var pods = client.resource(podType);
      try (var informer =
          SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch)).build()) {
        informer.addEventHandler(new FollowPods());
        informer.start();
        informer.awaitSynced(Duration.ofSeconds(30));
        System.out.println(informer.indexer().list().size() + " pods are in the cache");
        Thread.currentThread().join(); // Until Ctrl-C.
      }
    }
  }
}
