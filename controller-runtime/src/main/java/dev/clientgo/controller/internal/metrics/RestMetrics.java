package dev.clientgo.controller.internal.metrics;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.rest.config.RequestMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.DoubleConsumer;

/** The metrics of requests to the server, under client-go's names. Safe for use by many threads. */
public final class RestMetrics implements RequestMetrics, AutoCloseable {

  private static final List<Double> SECONDS =
      List.of(0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0);

  private final MetricsRegistry registry;
  private final ConcurrentMap<Metric, Runnable> counters = new ConcurrentHashMap<>();
  private final ConcurrentMap<Metric, DoubleConsumer> histograms = new ConcurrentHashMap<>();

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
    counters.computeIfAbsent(new Metric(name, help, labels), registry::counter).run();
  }

  private void observe(String name, String help, Attempt attempt, Duration time) {
    Metric metric =
        new Metric(name, help, Map.of("host", attempt.host(), "verb", attempt.method()));
    histograms
        .computeIfAbsent(metric, any -> registry.histogram(any, SECONDS))
        .accept(time.toNanos() / 1e9);
  }

  /** Removes all series. */
  @Override
  public void close() {
    counters.keySet().forEach(registry::remove);
    histograms.keySet().forEach(registry::remove);
  }
}
