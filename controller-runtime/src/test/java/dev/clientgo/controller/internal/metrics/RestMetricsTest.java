package dev.clientgo.controller.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.rest.config.RequestMetrics.Attempt;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RestMetricsTest {

  private static final Attempt GET = new Attempt("GET", "proxy", "/api", "/api", 1);

  private final PrometheusMetrics registry = PrometheusMetrics.create();
  private final RestMetrics metrics = new RestMetrics(registry);

  private double requests() {
    return registry.value(
        "rest_client_requests_total", Map.of("code", "200", "host", "proxy", "method", "GET"));
  }

  /** The clusters of a fleet behind one proxy have one host, and one of them is removed. */
  @Test
  void series_thatAnotherManagerRemoves_isThereAgain() {
    RestMetrics other = new RestMetrics(registry);
    metrics.attempted(GET, 200, Duration.ZERO);
    other.attempted(GET, 200, Duration.ZERO);
    assertThat(requests()).isEqualTo(2);

    other.close();
    metrics.attempted(GET, 200, Duration.ZERO);

    assertThat(requests()).isEqualTo(1);
    assertThat(
            registry.value(
                "rest_client_request_duration_seconds", Map.of("host", "proxy", "verb", "GET")))
        .isEqualTo(1);
  }

  @Test
  void requestAfterTheEnd_leavesNoSeries() {
    metrics.attempted(GET, 200, Duration.ZERO);
    metrics.close();
    metrics.attempted(GET, 200, Duration.ZERO);
    metrics.attempted(GET, 500, Duration.ZERO);

    assertThat(registry.text()).isEmpty();
  }
}
