package dev.clientgo.controller.internal.metrics;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.rest.config.RequestMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The metrics of requests to the server, under client-go's names. Safe for use by many threads. */
public final class RestMetrics implements RequestMetrics, AutoCloseable {

  private static final List<Double> SECONDS =
      List.of(0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0);

  private volatile MetricsRegistry registry;

  /**
   * What {@link #close} removes. Not the instruments: another manager may remove the same series.
   */
  private final Set<Metric> series = ConcurrentHashMap.newKeySet();

  /** Creates metrics without series. */
  public RestMetrics(MetricsRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void attempted(Attempt attempt, int code, Duration latency) {
    count(
        "rest_client_requests_total",
        "Requests to the API server by their response; a retry counts again",
        Map.of("code", text(code), "host", attempt.host(), "method", attempt.method()));
    observe(
        "rest_client_request_duration_seconds",
        "Seconds until the head of the response",
        attempt,
        latency);
  }

  @Override
  public void retried(Attempt attempt, int code) {
    count(
        "rest_client_request_retries_total",
        "Requests that were sent again after a response",
        Map.of("code", text(code), "host", attempt.host(), "verb", attempt.method()));
  }

  @Override
  public void throttled(Attempt attempt, Duration wait) {
    observe(
        "rest_client_rate_limiter_duration_seconds",
        "Seconds that the client's own rate limiter delayed a request",
        attempt,
        wait);
  }

  /** client-go's text for an attempt without a response. */
  private static String text(int code) {
    return code == 0 ? "<error>" : Integer.toString(code);
  }

  private void count(String name, String help, Map<String, String> labels) {
    registry.counter(noted(new Metric(name, help, labels))).run();
  }

  private void observe(String name, String help, Attempt attempt, Duration time) {
    Map<String, String> labels = Map.of("host", attempt.host(), "verb", attempt.method());
    registry.histogram(noted(new Metric(name, help, labels)), SECONDS).accept(time.toNanos() / 1e9);
  }

  private Metric noted(Metric metric) {
    series.add(metric);
    return metric;
  }

  /** Removes all series. */
  @Override
  public void close() {
    MetricsRegistry ended = registry;
    registry = MetricsRegistry.none();
    series.forEach(ended::remove);
  }
}
