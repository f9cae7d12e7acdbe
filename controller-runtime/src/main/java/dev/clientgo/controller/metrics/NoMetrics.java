package dev.clientgo.controller.metrics;

import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** Ignores all metrics. */
enum NoMetrics implements MetricsRegistry {
  INSTANCE;

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
}
