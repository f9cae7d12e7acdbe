package dev.clientgo.cache.metrics;

import java.time.Duration;

/**
 * Receives the figures of an informer or a queue, for a monitoring system. Override the methods
 * that you need; by default each does nothing. The informer's threads call them, some with a lock
 * held, so they must be quick and safe for use by many threads. An exception that they throw is
 * logged.
 *
 * <p>Corresponds to client-go's {@code tools/cache.InformerMetricsProvider} and the metrics of its
 * reflector.
 */
public interface InformerMetrics {

  /** Metrics that ignore everything. */
  InformerMetrics NONE = new InformerMetrics() {};

  /**
   * Records how many deltas (or objects, for a {@link dev.clientgo.cache.DeltaFIFO}) are in the
   * queue.
   */
  default void queueLength(int length) {}

  /** Records the time that the consumer took for one batch or one delta. */
  default void processed(Duration duration) {}

  /**
   * Records that the whole collection was read.
   *
   * @param duration the time that reading took
   * @param objects the number of objects
   * @param streamed whether the collection came as a stream of events, not as a list
   */
  default void listed(Duration duration, int objects, boolean streamed) {}

  /** Records the end of a watch, its length and the number of its events. */
  default void watched(Duration duration, long events) {}

  /** Records an error of the server, of the connection or of an object. */
  default void failed(RuntimeException error) {}

  /** Records the version of the collection that the cache shows from now on. */
  default void storeResourceVersion(String resourceVersion) {}

  /**
   * Records how many notifications wait for a handler.
   *
   * @param handler the name of the handler
   */
  default void handlerBacklog(String handler, int notifications) {}

  /**
   * Records that a handler threw.
   *
   * @param handler the name of the handler
   */
  default void handlerFailed(String handler, Throwable error) {}
}
