package dev.clientgo.examples.readme;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.time.Duration;

/** The program of the README. */
final class FollowPods implements ResourceEventHandler<Pod> {

  @Override
  public void onAdd(Pod pod, boolean isInInitialList) {
    System.out.println("added " + pod.metadata().namespace() + "/" + pod.metadata().name());
  }

  public static void main(String[] args) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var factory = InformerFactory.create(client)) {
      var pods = factory.core().v1().pods();
      pods.informer().addEventHandler(new FollowPods());
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();

      var web = pods.lister().inNamespace("default").list(Selector.parse("app=web"));
      System.out.println(web.size() + " of the pods in the cache are web servers");
      Thread.currentThread().join(); // Until Ctrl-C.
    }
  }
}
