package dev.clientgo.rest;

import java.time.Duration;
import java.time.Instant;

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
   * The body of an answer has been read, or is not read any further: {@code
   * rest_client_request_size_bytes} and {@code rest_client_response_size_bytes}.
   *
   * @param attempt what was sent where
   * @param sent how many bytes the body of the request had, 0 if that is not known
   * @param received how many bytes of the answer were read, unzipped; of a watch, all of its events
   */
  default void transferred(Attempt attempt, long sent, long received) {}

  /**
   * A credential plugin was to be run: {@code rest_client_exec_plugin_call_total}.
   *
   * @param result what came of it
   * @param exitCode that of the plugin, 0 if all is well, 1 if it was not run
   */
  default void pluginCalled(PluginResult result, int exitCode) {}

  /**
   * It was checked whether a credential plugin may be run: {@code
   * rest_client_exec_plugin_policy_call_total}.
   */
  default void pluginChecked(boolean allowed) {}

  /**
   * A credential plugin has given a client certificate, which ends then: {@code
   * rest_client_exec_plugin_ttl_seconds} and {@code
   * rest_client_exec_plugin_certificate_rotation_age}.
   */
  default void pluginCertificate(Instant notBefore, Instant notAfter) {}

  /** What came of a call of a credential plugin; the names are those of the metric's label. */
  enum PluginResult {
    /** It has given a credential. */
    NO_ERROR,
    /** It failed, or took too long. */
    PLUGIN_EXECUTION_ERROR,
    /** It is not there. */
    PLUGIN_NOT_FOUND_ERROR,
    /** It could not be run, or its answer is no credential. */
    CLIENT_INTERNAL_ERROR
  }

  /**
   * What is sent where.
   *
   * @param method the HTTP method
   * @param host host and port of the server
   * @param path the path; names of objects are in it, so it is no label of a metric
   * @param template the path with words in place of names, such as {@code
   *     /api/v1/namespaces/{namespace}/pods/{name}}: one of a few, so it can be a label
   * @param number 1 for the first attempt
   */
  record Attempt(String method, String host, String path, String template, int number) {}
}
