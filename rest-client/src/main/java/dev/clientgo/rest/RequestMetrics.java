package dev.clientgo.rest;

import java.time.Duration;

/**
 * Is told of each request, for metrics and traces. The methods do nothing by themselves; override
 * those that are of interest. They are called by the thread that makes the request, must be quick
 * and safe for use by many threads; what they throw is logged and goes no further.
 *
 * <p>Corresponds to client-go's {@code tools/metrics}; the names of its metrics are given with each
 * method.
 */
public interface RequestMetrics {

  /** Is told of nothing. */
  RequestMetrics NONE = new RequestMetrics() {};

  /**
   * An answer has come, or the attempt has failed: {@code rest_client_requests_total} and {@code
   * rest_client_request_duration_seconds}.
   *
   * @param attempt what was sent where
   * @param code the status, 0 if there was no answer
   * @param latency until the head of the answer was there
   */
  default void attempted(Attempt attempt, int code, Duration latency) {}

  /** A request is sent again after an answer: {@code rest_client_request_retries_total}. */
  default void retried(Attempt attempt, int code) {}

  /** A request had to wait: {@code rest_client_rate_limiter_duration_seconds}. */
  default void throttled(Attempt attempt, Duration wait) {}

  /**
   * What is sent where.
   *
   * @param method the HTTP method
   * @param host host and port of the server
   * @param path the path; names of objects are in it, so it is no label of a metric
   * @param number 1 for the first attempt
   */
  record Attempt(String method, String host, String path, int number) {}
}
