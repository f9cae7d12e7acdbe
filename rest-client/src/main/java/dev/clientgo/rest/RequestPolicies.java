package dev.clientgo.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What goes along with each request of a client, besides sending it. */
record RequestPolicies(
    WarningHandler warnings,
    RequestRateLimiter limiter,
    URLBackoff backoff,
    RequestMetrics metrics,
    RequestLog log) {

  private static final Logger LOG = System.getLogger(RequestPolicies.class.getName());

  /** What clients have by themselves. */
  static RequestPolicies standard() {
    return of(System.getenv());
  }

  /** What clients have by themselves in an environment. */
  static RequestPolicies of(Map<String, String> environment) {
    return new RequestPolicies(
        WarningHandler.logging(),
        RequestRateLimiter.UNLIMITED,
        URLBackoff.of(environment),
        RequestMetrics.NONE,
        RequestLog.STANDARD);
  }

  RequestPolicies withWarnings(WarningHandler warnings) {
    return new RequestPolicies(warnings, limiter, backoff, metrics, log);
  }

  RequestPolicies withLimiter(RequestRateLimiter limiter) {
    return new RequestPolicies(warnings, limiter, backoff, metrics, log);
  }

  RequestPolicies withBackoff(URLBackoff backoff) {
    return new RequestPolicies(warnings, limiter, backoff, metrics, log);
  }

  RequestPolicies withMetrics(RequestMetrics metrics) {
    return new RequestPolicies(warnings, limiter, backoff, metrics, log);
  }

  RequestPolicies withLog(RequestLog log) {
    return new RequestPolicies(warnings, limiter, backoff, metrics, log);
  }

  /** Hands over the warnings of an answer, which mostly has none. */
  void warn(WarningHandler handler, List<String> headers) {
    if (headers.isEmpty()) {
      return;
    }
    for (WarningHeaders.Warning warning : WarningHeaders.parse(headers)) {
      guarded(() -> handler.handle(warning.code(), warning.agent(), warning.text()));
    }
  }

  /** Returns whether anybody is told of requests. */
  boolean hasMetrics() {
    return metrics != RequestMetrics.NONE;
  }

  void measure(Consumer<RequestMetrics> event) {
    guarded(() -> event.accept(metrics));
  }

  /** A mistake of the one who looks on must not fail the request. */
  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a hook of the client failed", e);
    }
  }
}
