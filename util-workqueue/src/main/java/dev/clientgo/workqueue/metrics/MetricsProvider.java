package dev.clientgo.workqueue.metrics;

import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Receives the metrics of queues: an adapter to a metrics library.
 *
 * <p>A queue that has a name asks for its instruments once, when it is created. With Micrometer,
 * for example, each method is one line: {@code registry.counter(id.metric().fullName(),
 * tags(id))::increment}.
 *
 * <p>Each thread that uses the queue calls the instruments, many threads at once, and never under
 * the lock of the queue. The first exception of an instrument is logged; the queue's work
 * continues.
 *
 * <p>Unlike client-go: a gauge is computed when it is read, so no thread has to update it, and
 * there is no global provider.
 *
 * <p>Made for extension. {@link MetricsRecorder} is an implementation that keeps the numbers in
 * memory. Corresponds to client-go's {@code util/workqueue.MetricsProvider}.
 */
public interface MetricsProvider {

  /** Ignores all metrics. */
  MetricsProvider NONE =
      new MetricsProvider() {
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
      };

  /** Returns the function that the queue runs for each event that the metric counts. */
  Runnable counter(MetricId id);

  /** Returns the function that receives each observation, in seconds. */
  DoubleConsumer histogram(MetricId id);

  /**
   * Registers a value that can be read at any time.
   *
   * @param value reads the value; it takes the lock of the queue for a moment
   * @return the function that removes the gauge; the queue runs it when it is closed
   */
  Runnable gauge(MetricId id, DoubleSupplier value);
}
