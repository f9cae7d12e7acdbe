package dev.clientgo.kubernetes;

import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A program that wants nothing of Kubernetes but its pods. */
final class PodWatcher {

  private PodWatcher() {}

  /**
   * Prints the names of all pods.
   *
   * @param args the path of a kubeconfig
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    KubeConfig config = KubeConfig.parse(Files.readString(Path.of(args[0])));
    try (RESTClient client = RESTClient.create(config.restConfig());
        InformerFactory factory = InformerFactory.create(client)) {
      ResourceInformer<Pod> pods = factory.core().v1().pods();
      pods.informer();
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      pods.lister().list().forEach(pod -> System.out.println("pod " + pod.metadata().name()));
    }
  }
}
