package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@ApiServerTest
final class TeamPodsTest {

  @Test
  void podsOfATeam_areNamed(RESTClient client, @TestNamespace String namespace) throws Exception {
    var pods = Clientset.of(client).core().v1().pods(namespace);
    pods.create(pod(namespace, "web", "shop"));
    pods.create(pod(namespace, "mail", "office"));

    try (var factory = InformerFactory.create(client)) {
      var teams = new TeamPods(factory.core().v1().pods().lister());
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();

      assertEquals(List.of(namespace + "/web"), teams.of("shop"));
    }
  }

  private static Pod pod(String namespace, String name, String team) {
    return Pod.of(
        namespace,
        name,
        pod ->
            pod.editMetadata(meta -> meta.labels(Map.of("team", team)))
                .editSpec(spec -> spec.addContainers(c -> c.name("main").image("registry.example/main:1"))));
  }
}
