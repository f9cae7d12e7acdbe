package dev.clientgo.controller.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MicrometerMetricsTest {

  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) ");

  private static final Metric TOTAL =
      new Metric("things_total", "Things", Map.of("controller", "foo", "result", "success"));
  private static final Metric SECONDS =
      new Metric("thing_time_seconds", "Times", Map.of("controller", "foo"));
  private static final Metric ACTIVE =
      new Metric("active_things", "Now", Map.of("controller", "foo"));

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerMetrics metrics = MicrometerMetrics.of(registry);

  @Test
  void counter_askedTwice_countsTogether() {
    metrics.counter(TOTAL).run();
    metrics.counter(TOTAL).run();

    assertThat(registry.get("things_total").tag("controller", "foo").counter().count())
        .isEqualTo(2);
  }

  @Test
  void histogram_countsEachBucket() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    DoubleConsumer seconds = MicrometerMetrics.of(prometheus).histogram(SECONDS, List.of(0.1, 1.0));

    seconds.accept(0.05);
    seconds.accept(0.5);
    seconds.accept(5);

    assertThat(prometheus.scrape().lines())
        .contains(
            "thing_time_seconds_bucket{controller=\"foo\",le=\"0.1\"} 1",
            "thing_time_seconds_bucket{controller=\"foo\",le=\"1.0\"} 2",
            "thing_time_seconds_bucket{controller=\"foo\",le=\"+Inf\"} 3",
            "thing_time_seconds_count{controller=\"foo\"} 3");
  }

  @Test
  void gauge_registeredAgain_hasTheNewValue() {
    metrics.gauge(ACTIVE, () -> 1);
    metrics.gauge(ACTIVE, () -> 2);

    assertThat(registry.get("active_things").gauge().value()).isEqualTo(2);
  }

  /** Of a manager that was there before: the value of what has ended stayed. */
  @Test
  void gauge_ofAnotherAdapter_isReplaced() {
    MicrometerMetrics.of(registry).gauge(ACTIVE, () -> 1);
    metrics.gauge(ACTIVE, () -> 2);

    assertThat(registry.get("active_things").gauge().value()).isEqualTo(2);
  }

  @Test
  void remove_takesTheMeterOut_alsoOneWithTagsOfTheRegistry() {
    registry.config().commonTags("region", "north");
    metrics.counter(TOTAL).run();
    metrics.gauge(ACTIVE, () -> 1);

    metrics.remove(TOTAL);
    metrics.remove(ACTIVE);
    metrics.remove(SECONDS); // It was never there.

    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void sameNameForAnotherKind_throws() {
    metrics.counter(TOTAL).run();

    assertThatThrownBy(() -> metrics.histogram(TOTAL, List.of(1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("things_total");
  }

  @Test
  void prometheus_hasTheNamesOfController_runtime() throws Exception {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    PrometheusMetrics own = PrometheusMetrics.create();
    CountDownLatch reconciled = new CountDownLatch(2);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      client
          .resource(ConfigMap.TYPE)
          .inNamespace("default")
          .create(ConfigMap.of("default", "a", c -> c.data(Map.of("colour", "green"))));
      try (Manager measured =
              Manager.builder(client).metrics(MicrometerMetrics.of(prometheus)).build();
          Manager reference = Manager.builder(client).metrics(own).build()) {
        for (Manager manager : List.of(measured, reference)) {
          manager.add(
              Controller.builder(
                      (request, context) -> {
                        reconciled.countDown();
                        return Result.done();
                      })
                  .forKind(ConfigMap.TYPE)
                  .build());
          manager.start();
        }
        assertThat(reconciled.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(measured.awaitReady(Duration.ofSeconds(60))).isTrue();
        assertThat(reference.awaitReady(Duration.ofSeconds(60))).isTrue();

        assertThat(names(prometheus.scrape())).containsAll(names(own.text()));
      }
      assertThat(prometheus.getMeters()).as("meters after the manager's end").isEmpty();
    }
  }

  /** Returns the names in a text of Prometheus. */
  private static Set<String> names(String text) {
    return TYPE.matcher(text).results().map(line -> line.group(1)).collect(Collectors.toSet());
  }
}
