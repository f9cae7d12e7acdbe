package dev.clientgo.rest.config;

import java.time.Duration;
import java.time.Instant;

/**
 * Receives the events of requests, for metrics and traces. All methods do nothing by default. The
 * thread that makes the request calls them, so they must be quick and safe for use by many threads.
 * An exception of theirs is logged and ignored.
 *
 * <p>Corresponds to client-go's {@code tools/metrics}. Each method names the metric that client-go
 * derives from its event.
 */
public interface RequestMetrics {

  /** Ignores all events. */
  RequestMetrics NONE = new RequestMetrics() {};

  /**
   * A response has arrived, or the attempt has failed: {@code rest_client_requests_total} and
   * {@code rest_client_request_duration_seconds}.
   *
   * @param attempt the attempt
   * @param code the HTTP status, 0 if there was no response
   * @param latency the time until the head of the response was there
   */
  default void attempted(Attempt attempt, int code, Duration latency) {}

  /** A request is sent again after a response: {@code rest_client_request_retries_total}. */
  default void retried(Attempt attempt, int code) {}

  /** The rate limiter delays a request: {@code rest_client_rate_limiter_duration_seconds}. */
  default void throttled(Attempt attempt, Duration wait) {}

  /**
   * The body of a response was read or closed: {@code rest_client_request_size_bytes} and {@code
   * rest_client_response_size_bytes}.
   *
   * @param attempt the attempt
   * @param sent the bytes in the body of the request, 0 if unknown
   * @param received the bytes read of the response, uncompressed; for a watch, all of its events
   */
  default void transferred(Attempt attempt, long sent, long received) {}

  /**
   * A credential plugin was run, or could not be run: {@code rest_client_exec_plugin_call_total}.
   *
   * @param result the outcome
   * @param exitCode the exit code of the plugin, 1 if it was not run
   */
  default void pluginCalled(PluginResult result, int exitCode) {}

  /**
   * The policy about credential plugins was checked: {@code
   * rest_client_exec_plugin_policy_call_total}.
   */
  default void pluginChecked(boolean allowed) {}

  /**
   * A credential plugin has returned a client certificate: {@code
   * rest_client_exec_plugin_ttl_seconds} and {@code
   * rest_client_exec_plugin_certificate_rotation_age}.
   */
  default void pluginCertificate(Instant notBefore, Instant notAfter) {}

  /** The outcome of a call of a credential plugin; the names are label values of the metric. */
  enum PluginResult {
    /** It returned a credential. */
    NO_ERROR,
    /** It failed or timed out. */
    PLUGIN_EXECUTION_ERROR,
    /** It is not installed. */
    PLUGIN_NOT_FOUND_ERROR,
    /** It could not be run, or its output is not a credential. */
    CLIENT_INTERNAL_ERROR
  }

  /**
   * One attempt to send a request.
   *
   * @param method the HTTP method
   * @param host the host and the port of the server
   * @param path the path, which contains names of objects; too varied for a label
   * @param template the path with placeholders, such as {@code
   *     /api/v1/namespaces/{namespace}/pods/{name}}; fit for a label
   * @param number 1 for the first attempt
   */
  record Attempt(String method, String host, String path, String template, int number) {}
}
