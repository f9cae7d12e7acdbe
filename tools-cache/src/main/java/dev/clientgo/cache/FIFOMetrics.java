package dev.clientgo.cache;

import java.time.Duration;

/**
 * Receives the figures of a queue, for a monitoring system. Implementations are called often and
 * with a lock held, so they must be quick and must not throw.
 *
 * <p>Corresponds to the queue's part of client-go's {@code tools/cache.InformerMetricsProvider}.
 */
public interface FIFOMetrics {

  /** Metrics that ignore everything. */
  FIFOMetrics NONE =
      new FIFOMetrics() {
        @Override
        public void queueLength(int length) {}

        @Override
        public void processed(Duration duration) {}
      };

  /** Records how many deltas (or objects, for a {@link DeltaFIFO}) are in the queue. */
  void queueLength(int length);

  /** Records the time that the consumer took for one batch or one delta. */
  void processed(Duration duration);
}
