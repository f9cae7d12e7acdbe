package dev.clientgo.controller.metrics;

import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Receives the metrics of controllers, queues and informers: an adapter to a metrics library.
 *
 * <p>Each part asks for its instruments once and then calls them, from many threads at once. To ask
 * for the same series twice gives the same numbers.
 *
 * <p>Made for extension. {@link PrometheusMetrics} keeps the numbers in memory and writes them in
 * the text format of Prometheus. Corresponds to controller-runtime's {@code metrics.Registry}.
 */
public interface MetricsRegistry {

  /** Returns the registry that ignores all metrics. */
  static MetricsRegistry none() {
    return new MetricsRegistry() {
      @Override
      public Runnable counter(Metric metric) {
        return () -> {};
      }

      @Override
      public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
        return value -> {};
      }

      @Override
      public void gauge(Metric metric, DoubleSupplier value) {}

      @Override
      public void remove(Metric metric) {}
    };
  }

  /** Returns the function that is run for each event that the metric counts. */
  Runnable counter(Metric metric);

  /**
   * Returns the function that receives each observation.
   *
   * @param buckets the upper bounds of the buckets, ascending, without the infinite one
   */
  DoubleConsumer histogram(Metric metric, List<Double> buckets);

  /** Registers a value that can be read at any time; replaces the one before, if any. */
  void gauge(Metric metric, DoubleSupplier value);

  /** Removes a series: the part that it measured has ended. */
  void remove(Metric metric);
}
