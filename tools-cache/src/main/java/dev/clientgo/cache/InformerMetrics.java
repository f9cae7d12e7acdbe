package dev.clientgo.cache;

import java.time.Duration;

/**
 * What an informer tells of itself to a monitoring system. Implement what is of interest; nothing
 * is kept otherwise. The methods are called by the informer's threads, so they must be quick and
 * safe for use by many threads. An exception that they throw is logged.
 *
 * <p>Corresponds to client-go's {@code tools/cache.InformerMetricsProvider} and the metrics of its
 * reflector.
 */
public interface InformerMetrics extends FIFOMetrics {

  /** Metrics that go nowhere. */
  InformerMetrics NONE = new InformerMetrics() {};

  @Override
  default void queueLength(int length) {}

  @Override
  default void processed(Duration duration) {}

  /**
   * Takes note of a state of the collection that was read in full.
   *
   * @param duration how long it took
   * @param objects how many objects there are
   * @param streamed whether it came as a stream of events, not as a list
   */
  default void listed(Duration duration, int objects, boolean streamed) {}

  /** Takes note of a watch that has ended, for whatever reason. */
  default void watched(Duration duration, long events) {}

  /** Takes note of something that went wrong between the reflector and the server. */
  default void failed(RuntimeException error) {}

  /** Takes note of the version of the collection that the cache shows from now on. */
  default void storeResourceVersion(String resourceVersion) {}

  /**
   * Takes note of how many notifications a handler has not been given yet.
   *
   * @param handler the name of the handler
   */
  default void handlerBacklog(String handler, int notifications) {}

  /**
   * Takes note of a handler that threw.
   *
   * @param handler the name of the handler
   */
  default void handlerFailed(String handler, Throwable error) {}
}
