package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A script of a user that fails in each way: the other pods run, and later its pod does, too. */
@Timeout(300)
final class FaultsTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  private static boolean isRunning(Pod pod) {
    return pod.status().phase() != null && "Running".equals(pod.status().phase().value());
  }

  @ParameterizedTest
  @EnumSource
  void script_thatThrows_costsOnlyItsPod_untilItWorks(Fault fault) throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    AtomicInteger failures = new AtomicInteger();
    PodScript script =
        PodScript.of(
            pod -> {
              if (failing.get() && pod.metadata().name().startsWith("bad")) {
                failures.incrementAndGet();
                return fault.fail();
              }
              return PodLife.runs();
            });
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        EmbeddedControllers controllers =
            EmbeddedControllers.builder(server).only(BuiltInController.PODS).pods(script).start()) {
      assertThat(controllers).isNotNull();
      ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
      for (int i = 0; i < 12; i++) { // More than there are workers.
        pods.create(pod("bad-" + i));
      }
      pods.create(pod("good"));

      pods.await("good", pod -> pod.filter(FaultsTest::isRunning).isPresent(), WAIT);
      assertThat(failures).hasPositiveValue();
      assertThat(isRunning(pods.get("bad-0"))).isFalse();

      failing.set(false);
      for (int i = 0; i < 12; i++) {
        pods.await("bad-" + i, pod -> pod.filter(FaultsTest::isRunning).isPresent(), WAIT);
      }
    }
  }

  private static Pod pod(String name) {
    return Pod.of(p -> p.metadata(ObjectMeta.of(m -> m.name(name))).spec(Workloads.podSpec("any")));
  }
}
