package dev.clientgo.controller.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** A registry that refuses an instrument is asked for it again, and told of until it has it. */
final class GuardedMetricsTest {

  private final PrometheusMetrics numbers = PrometheusMetrics.create();
  private final FakeClock clock = FakeClock.create();
  private boolean refuses = true;

  private final GuardedMetrics guarded =
      (GuardedMetrics)
          GuardedMetrics.of(
              new MetricsRegistry() {
                @Override
                public Runnable counter(Metric metric) {
                  refuse();
                  return numbers.counter(metric);
                }

                @Override
                public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
                  refuse();
                  return numbers.histogram(metric, buckets);
                }

                @Override
                public void gauge(Metric metric, DoubleSupplier value) {
                  refuse();
                }

                @Override
                public void remove(Metric metric) {
                  refuse();
                }
              },
              clock);

  private void refuse() {
    if (refuses) {
      throw new IllegalStateException("no room for a series");
    }
  }

  @Test
  void counter_thatWasRefused_isAProblemUntilItCounts() {
    Runnable counter = guarded.counter(new Metric("calls_total", "Calls", Map.of()));
    counter.run();
    counter.run();
    assertThat(guarded.problem().orElseThrow())
        .contains("metric=calls_total")
        .contains("no room for a series");

    refuses = false;
    counter.run();

    assertThat(guarded.problem()).isEmpty();
    assertThat(numbers.value("calls_total", Map.of())).isEqualTo(1);
  }

  /** Each failure is the first of a row. */
  @Test
  void counter_thatFailsEachSecondTime_isLoggedOnceAMinute() {
    try (CapturedLog log = CapturedLog.of(MetricsRegistry.class)) {
      Runnable counter = guarded.counter(new Metric("calls_total", "Calls", Map.of()));
      for (int i = 0; i < 100; i++) {
        refuses = !refuses;
        counter.run();
      }
      assertThat(log.texts(Level.SEVERE)).hasSize(1);

      clock.advance(Duration.ofMinutes(1));
      refuses = true;
      counter.run();
      assertThat(log.texts(Level.SEVERE)).hasSize(2);
    }
  }

  @Test
  void histogram_thatWasRefused_isAProblemUntilItCounts() {
    DoubleConsumer histogram =
        guarded.histogram(new Metric("seconds", "Seconds", Map.of()), List.of(1.0));
    histogram.accept(1);
    histogram.accept(1);
    assertThat(guarded.problem()).isPresent();

    refuses = false;
    histogram.accept(0.5);

    assertThat(guarded.problem()).isEmpty();
    assertThat(numbers.text()).contains("seconds_count 1\n");
  }
}
