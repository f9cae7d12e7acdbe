package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;

/** A program that syncs an informer of all pods and prints the retained heap. */
final class SyncProbe {

  private SyncProbe() {}

  public static void main(String[] args) throws InterruptedException {
    try (RESTClient client = RESTClient.create(RestConfig.builder(args[0]).build())) {
      ResourceClient<Unstructured> pods =
          client.resource(Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true));
      long before = usedHeap();
      try (SharedIndexInformer<Unstructured> informer =
          SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch)).build()) {
        informer.start();
        if (!informer.awaitSynced(Duration.ofSeconds(100))) {
          throw new IllegalStateException("not synced: " + informer.health());
        }
        long retained = usedHeap() - before;
        System.out.println(informer.indexer().listKeys().size() + " " + retained);
      }
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
