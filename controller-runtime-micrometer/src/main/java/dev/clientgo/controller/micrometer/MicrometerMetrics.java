package dev.clientgo.controller.micrometer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Keeps the metrics of controllers, queues, informers and requests in a Micrometer registry.
 *
 * <pre>{@code
 * Manager manager =
 *     Manager.builder(client).metrics(MicrometerMetrics.of(meterRegistry)).build();
 * }</pre>
 *
 * <p>The meters have the names and labels of controller-runtime, such as {@code
 * controller_runtime_reconcile_total}, which the naming convention of the registry may change; that
 * of Prometheus keeps them. A histogram of seconds is a timer, any other a distribution summary,
 * with the bounds of its buckets as service level objectives. A meter is removed from the registry
 * when the controller or the informer that it measures ends.
 *
 * <p>Safe for use by many threads.
 */
public final class MicrometerMetrics implements MetricsRegistry {

  private final MeterRegistry registry;

  /** The registry may give meters other names and tags, so they cannot be found there again. */
  private final Map<Metric, Meter> meters = new ConcurrentHashMap<>();

  private MicrometerMetrics(MeterRegistry registry) {
    this.registry = requireNonNull(registry, "registry");
  }

  /** Returns an adapter to the registry. */
  public static MicrometerMetrics of(MeterRegistry registry) {
    return new MicrometerMetrics(registry);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the registry has another kind of meter of that name
   */
  @Override
  public Runnable counter(Metric metric) {
    Counter counter =
        Counter.builder(metric.name())
            .description(metric.help())
            .tags(tags(metric))
            .register(registry);
    meters.put(metric, counter);
    return counter::increment;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the registry has another kind of meter of that name
   */
  @Override
  public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
    return metric.name().endsWith("_seconds") ? timer(metric, buckets) : summary(metric, buckets);
  }

  /** Returns a timer, because the buckets of a summary know no values below one. */
  private DoubleConsumer timer(Metric metric, List<Double> buckets) {
    Timer timer =
        Timer.builder(metric.name())
            .description(metric.help())
            .tags(tags(metric))
            .serviceLevelObjectives(
                buckets.stream().map(MicrometerMetrics::duration).toArray(Duration[]::new))
            .register(registry);
    meters.put(metric, timer);
    return seconds -> timer.record(duration(seconds));
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private DoubleConsumer summary(Metric metric, List<Double> buckets) {
    DistributionSummary summary =
        DistributionSummary.builder(metric.name())
            .description(metric.help())
            .tags(tags(metric))
            .serviceLevelObjectives(buckets.stream().mapToDouble(Double::doubleValue).toArray())
            .register(registry);
    meters.put(metric, summary);
    return summary::record;
  }

  @Override
  public void gauge(Metric metric, DoubleSupplier value) {
    requireNonNull(value, "value");
    meters.compute(
        metric,
        (same, before) -> {
          Gauge.Builder<?> gauge =
              Gauge.builder(metric.name(), value::getAsDouble)
                  .description(metric.help())
                  .tags(tags(metric));
          // The registry would keep the first one, of this adapter or another.
          registry.remove(gauge.register(registry));
          return gauge.register(registry);
        });
  }

  @Override
  public void remove(Metric metric) {
    meters.computeIfPresent(
        metric,
        (same, meter) -> {
          registry.remove(meter);
          return null;
        });
  }

  private static List<Tag> tags(Metric metric) {
    return metric.labels().entrySet().stream()
        .map(label -> Tag.of(label.getKey(), label.getValue()))
        .toList();
  }
}
