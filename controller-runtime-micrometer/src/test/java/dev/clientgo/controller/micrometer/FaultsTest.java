package dev.clientgo.controller.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Fault;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A registry of a user that fails in each way: the manager starts, works and ends. */
@Timeout(300)
final class FaultsTest {

  @ParameterizedTest
  @EnumSource
  void registry_thatThrows_costsNoReconcile(Fault fault) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.config().onMeterAdded(meter -> strike(fault, failures));
    registry.config().onMeterRemoved(meter -> strike(fault, failures));
    CountDownLatch reconciled = new CountDownLatch(3);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      try (Manager manager =
          Manager.builder(client).metrics(MicrometerMetrics.of(registry)).build()) {
        manager.add(
            Controller.builder(
                    (request, context) -> {
                      reconciled.countDown();
                      return Result.done();
                    })
                .forKind(ConfigMap.TYPE)
                .build());
        manager.start();
        for (String name : new String[] {"a", "b", "c"}) {
          client
              .resource(ConfigMap.TYPE)
              .inNamespace("default")
              .create(ConfigMap.of("default", name, c -> c.data(Map.of("k", "v"))));
        }

        assertThat(reconciled.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();
        assertThat(failures).hasPositiveValue();
      }
      assertThat(registry.getMeters()).extracting(Meter::getId).isEmpty();
    }
  }

  private static void strike(Fault fault, AtomicInteger failures) {
    failures.incrementAndGet();
    fault.fail();
  }
}
