package dev.clientgo.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;

final class PrometheusMetricsTest {

  private final PrometheusMetrics registry = PrometheusMetrics.create();

  private static Metric metric(String name, String label) {
    return new Metric(name, "What it\nis.", Map.of("controller", label));
  }

  @Test
  void text_isPrometheusFormat() {
    registry.counter(metric("things_total", "b")).run();
    registry.counter(metric("things_total", "a\"\\")).run();
    registry.counter(metric("things_total", "b")).run();
    registry.gauge(new Metric("level", "Level", Map.of()), () -> 0.5);
    DoubleConsumer seconds = registry.histogram(metric("seconds", "a"), List.of(0.1, 1.0));
    seconds.accept(0.1);
    seconds.accept(0.5);
    seconds.accept(7);

    assertThat(registry.text())
        .isEqualTo(
            """
            # HELP level Level
            # TYPE level gauge
            level 0.5
            # HELP seconds What it\\nis.
            # TYPE seconds histogram
            seconds_bucket{controller="a",le="0.1"} 1
            seconds_bucket{controller="a",le="1.0"} 2
            seconds_bucket{controller="a",le="+Inf"} 3
            seconds_sum{controller="a"} 7.6
            seconds_count{controller="a"} 3
            # HELP things_total What it\\nis.
            # TYPE things_total counter
            things_total{controller="a\\"\\\\"} 1
            things_total{controller="b"} 2
            """);
  }

  @Test
  void gauge_thatThrows_isNotANumber() {
    registry.counter(metric("things_total", "a")).run();
    registry.gauge(
        new Metric("level", "Level", Map.of()),
        () -> {
          throw new NoClassDefFoundError("made");
        });

    assertThat(registry.text()).contains("level NaN\n", "things_total{controller=\"a\"} 1\n");
  }

  /** Equality agrees with the order, so a series is found without its help. */
  @Test
  void metrics_areEqualByNameAndLabels() {
    Metric metric = metric("x", "a");

    assertThat(metric)
        .isEqualTo(new Metric("x", "", metric.labels()))
        .hasSameHashCodeAs(new Metric("x", "", metric.labels()))
        .isEqualByComparingTo(new Metric("x", "", metric.labels()));
    for (Metric other :
        List.of(metric("y", "a"), metric("x", "b"), new Metric("x", "", Map.of("another", "a")))) {
      assertThat(metric).isNotEqualTo(other).isNotEqualByComparingTo(other);
    }
  }

  @Test
  void remove_forgetsTheSeries() {
    registry.counter(metric("things_total", "a")).run();
    assertThat(registry.value("things_total", Map.of("controller", "a"))).isEqualTo(1);

    registry.remove(metric("things_total", "a"));

    assertThat(registry.value("things_total", Map.of("controller", "a"))).isZero();
    assertThat(registry.text()).isEmpty();
  }

  @Test
  void oneName_hasOneType() {
    registry.counter(metric("x", "a"));

    assertThatThrownBy(() -> registry.histogram(metric("x", "a"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("x is a counter already");
  }
}
