package dev.clientgo.workqueue;

import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Where the metrics of queues go: an adapter to a metrics library.
 *
 * <p>A queue that has a name asks for its instruments once, when it is created. With Micrometer,
 * say, each method is one line: {@code registry.counter(id.metric().fullName(),
 * tags(id))::increment}.
 *
 * <p>Instruments are called by whoever uses the queue, never under its lock, from many threads at
 * once. What they throw is logged once per queue and goes no further.
 *
 * <p>Unlike client-go: gauges are read when somebody looks, so that no thread must keep them up to
 * date; and there is no global provider.
 *
 * <p>Made for extension. {@link MetricsRecorder} is an implementation that keeps the numbers in
 * memory. Corresponds to client-go's {@code util/workqueue.MetricsProvider}.
 */
public interface MetricsProvider {

  /** Returns the provider that drops everything. */
  static MetricsProvider none() {
    return NoMetrics.INSTANCE;
  }

  /** Returns what is to be run for each event that the metric counts. */
  Runnable counter(MetricId id);

  /** Returns what takes each observation, in seconds. */
  DoubleConsumer histogram(MetricId id);

  /**
   * Shows a value that can be read at any time.
   *
   * @param value reads the value; it takes the lock of the queue for a moment
   * @return what the queue runs when it is closed, to have the gauge taken away
   */
  Runnable gauge(MetricId id, DoubleSupplier value);
}
