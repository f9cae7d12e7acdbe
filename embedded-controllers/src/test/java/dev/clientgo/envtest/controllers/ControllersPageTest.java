package dev.clientgo.envtest.controllers;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example of the section about these controllers in {@code docs/testing.md}. */
final class ControllersPageTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void controllersInTheEmbeddedServer() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        EmbeddedControllers controllers = EmbeddedControllers.start(server);
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      ConfigMap owner = maps.create(ConfigMap.of("default", "owner", map -> {}));
      maps.create(
          OwnerReferences.setController(ConfigMap.of("default", "child", map -> {}), owner));

      maps.delete("owner");

      maps.await("child", Optional::isEmpty, WAIT); // The garbage collector has deleted it.
    }
  }

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void podsByAScript() throws Exception {
    FakeClock clock = FakeClock.create();
    PodScript script =
        PodScript.builder()
            .image("shop:broken", PodLife.exits(1))
            .pods("app=slow", PodLife.runs().readyAfter(Duration.ofSeconds(30)))
            .build();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
        EmbeddedControllers controllers =
            EmbeddedControllers.builder(server).clock(clock).pods(script).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
      pods.create(slowPod());
      pods.await("slow", pod -> isRunning(pod) && !isReady(pod), WAIT);

      clock.advance(Duration.ofSeconds(30));

      pods.await("slow", pod -> isReady(pod), WAIT);
    }
  }

  private static Pod slowPod() {
    return Workloads.pod("slow").with(p -> p.editMetadata(m -> m.labels(Map.of("app", "slow"))));
  }

  private static boolean isRunning(Optional<Pod> pod) {
    return pod.map(Pod::status).map(PodStatus::phase).filter(PodPhase.RUNNING::equals).isPresent();
  }

  private static boolean isReady(Optional<Pod> pod) {
    return pod.orElseThrow().status().conditions().stream()
        .anyMatch(c -> "Ready".equals(c.type()) && "True".equals(c.status()));
  }
}
