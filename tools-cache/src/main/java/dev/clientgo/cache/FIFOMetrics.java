package dev.clientgo.cache;

import java.time.Duration;

/**
 * What a queue tells of itself to a monitoring system. Implementations are called often and with a
 * lock held, so they must be quick and must not throw.
 *
 * <p>Corresponds to the queue's part of client-go's {@code tools/cache.InformerMetricsProvider}.
 */
public interface FIFOMetrics {

  /** Metrics that go nowhere. */
  FIFOMetrics NONE =
      new FIFOMetrics() {
        @Override
        public void queueLength(int length) {}

        @Override
        public void processed(Duration duration) {}
      };

  /** Takes note of how many deltas (or objects, for a {@link DeltaFIFO}) are in the queue. */
  void queueLength(int length);

  /** Takes note of how long the consumer took for one batch or one single delta. */
  void processed(Duration duration);
}
