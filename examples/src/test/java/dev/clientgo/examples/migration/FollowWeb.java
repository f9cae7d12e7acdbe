package dev.clientgo.examples.migration;

import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.time.Duration;

/** The program of docs/from-java-clients.md. */
final class FollowWeb {

  public static void main(String[] args) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var factory = InformerFactory.create(client)) {
      var pods = factory.of(Pod.TYPE).inNamespace("shop").withLabels("app=web");
      pods.informer()
          .addEventHandler(
              handler ->
                  handler
                      .onAdd(pod -> System.out.println("added " + pod.metadata().name()))
                      .onDelete(gone -> System.out.println("deleted " + gone.objectName().name())));
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      System.out.println(pods.lister().list().size() + " web pods in the cache");

      var deployments = client.resource(Deployment.TYPE).inNamespace("shop");
      deployments.edit("web", old -> old.with(web -> web.editSpec(spec -> spec.replicas(3))));
      Thread.currentThread().join(); // Until Ctrl-C.
    }
  }
}
