package dev.clientgo.workqueue.metrics;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Keeps the metrics of queues in memory, where {@link #snapshot} reads them: for tests, for a debug
 * page, and for programs without a metrics library.
 *
 * <p>One recorder serves any number of queues; two of the same name share their counters. Safe for
 * use by many threads.
 */
public final class MetricsRecorder implements MetricsProvider {

  private final Map<MetricId, LongAdder> counters = new ConcurrentHashMap<>();
  private final Map<MetricId, DoubleSupplier> gauges = new ConcurrentHashMap<>();
  private final Map<MetricId, MetricsSnapshot.Distribution.Recorder> histograms =
      new ConcurrentHashMap<>();

  private MetricsRecorder() {}

  /** Returns a recorder that has recorded nothing yet. */
  public static MetricsRecorder create() {
    return new MetricsRecorder();
  }

  @Override
  public Runnable counter(MetricId id) {
    return counters.computeIfAbsent(id, any -> new LongAdder())::increment;
  }

  @Override
  public DoubleConsumer histogram(MetricId id) {
    return histograms.computeIfAbsent(id, any -> new MetricsSnapshot.Distribution.Recorder());
  }

  @Override
  public Runnable gauge(MetricId id, DoubleSupplier value) {
    gauges.put(id, value);
    return () -> gauges.remove(id, value);
  }

  /** Returns the present values. Values that change meanwhile may come from different moments. */
  public MetricsSnapshot snapshot() {
    SortedMap<MetricId, Double> values = new TreeMap<>();
    // Gauges first: reading a depth may make items due, which counters count.
    gauges.forEach((id, value) -> values.put(id, value.getAsDouble()));
    counters.forEach((id, count) -> values.put(id, (double) count.sum()));
    SortedMap<MetricId, MetricsSnapshot.Distribution> distributions = new TreeMap<>();
    histograms.forEach((id, recorder) -> distributions.put(id, recorder.snapshot()));
    return new MetricsSnapshot(values, distributions);
  }
}
