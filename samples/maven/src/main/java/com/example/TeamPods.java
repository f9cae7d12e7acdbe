package com.example;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.cache.Lister;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.time.Duration;
import java.util.List;

/** Names the pods of a team, from a cache that follows the cluster. */
public final class TeamPods {

  private final Lister<Pod> pods;

  public TeamPods(Lister<Pod> pods) {
    this.pods = pods;
  }

  public List<String> of(String team) {
    return pods.list(Selector.parse("team=" + team)).stream()
        .map(pod -> pod.metadata().namespace() + "/" + pod.metadata().name())
        .sorted()
        .toList();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var factory = InformerFactory.create(client)) {
      var pods = new TeamPods(factory.core().v1().pods().lister());
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      System.out.println(pods.of(args[0]));
    }
  }
}
