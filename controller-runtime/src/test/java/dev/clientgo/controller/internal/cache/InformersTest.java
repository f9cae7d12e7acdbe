package dev.clientgo.controller.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Informers that end while others begin. */
@Timeout(120)
final class InformersTest {

  /** The metrics of an informer were removed by one that had its name before. */
  @Test
  void informerWithTheNameOfOneThatEnds_hasMetrics() throws Exception {
    PrometheusMetrics metrics = PrometheusMetrics.create();
    FakeClock clock = FakeClock.create();
    CountDownLatch transforms = new CountDownLatch(1);
    Semaphore ends = new Semaphore(0);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "m", c -> {}));
      try (Informers informers =
          new Informers(
              Clientset.of(client),
              factory ->
                  factory
                      .options(ReflectorOptions.builder().clock(clock).build())
                      .configure(
                          ConfigMap.TYPE,
                          informer ->
                              informer.transform(
                                  map -> {
                                    transforms.countDown();
                                    ends.acquireUninterruptibly();
                                    return map;
                                  })),
              metrics,
              clock,
              new Scopes(null, Map.of(), /* startsByRead= */ true))) {
        Informers.Lease<ConfigMap> old =
            informers.lease(ConfigMap.TYPE, CachePart.WHOLE, /* ofShard= */ false, false);
        transforms.await();
        Thread closer = new Thread(old::close, "closer");
        closer.start();
        Eventually.await("the name is free", () -> informers.health().isEmpty());

        informers.lease(
            Unstructured.type(ConfigMap.TYPE.kind(), "configmaps", true),
            CachePart.WHOLE,
            /* ofShard= */ false,
            false);
        assertThat(informers.health()).containsOnlyKeys("configmaps");
        assertThat(closer.isAlive()).as("the old one still ends").isTrue();
        ends.release();
        closer.join();

        assertThat(metrics.text()).contains("informer_synced{name=\"configmaps\"}");
      }
      assertThat(metrics.text()).doesNotContain("informer_synced{");
    }
  }
}
