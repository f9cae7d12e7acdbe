package dev.clientgo.workqueue.metrics;

import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** Ignores all metrics. */
enum NoMetrics implements MetricsProvider {
  INSTANCE;

  @Override
  public Runnable counter(MetricId id) {
    return () -> {};
  }

  @Override
  public DoubleConsumer histogram(MetricId id) {
    return seconds -> {};
  }

  @Override
  public Runnable gauge(MetricId id, DoubleSupplier value) {
    return () -> {};
  }
}
