package dev.clientgo.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What goes along with each request of a client, besides sending it. */
record Policies(
    WarningHandler warnings,
    RateLimiter limiter,
    URLBackoff backoff,
    RequestMetrics metrics,
    RequestLog log) {

  private static final Logger LOG = System.getLogger(Policies.class.getName());

  /** What clients have by themselves. */
  static Policies standard() {
    return of(System.getenv());
  }

  /** What clients have by themselves in an environment. */
  static Policies of(Map<String, String> environment) {
    return new Policies(
        new WarningLog(),
        RateLimiter.UNLIMITED,
        URLBackoff.of(environment),
        RequestMetrics.NONE,
        RequestLog.STANDARD);
  }

  Policies withWarnings(WarningHandler warnings) {
    return new Policies(warnings, limiter, backoff, metrics, log);
  }

  Policies withLimiter(RateLimiter limiter) {
    return new Policies(warnings, limiter, backoff, metrics, log);
  }

  Policies withBackoff(URLBackoff backoff) {
    return new Policies(warnings, limiter, backoff, metrics, log);
  }

  Policies withMetrics(RequestMetrics metrics) {
    return new Policies(warnings, limiter, backoff, metrics, log);
  }

  Policies withLog(RequestLog log) {
    return new Policies(warnings, limiter, backoff, metrics, log);
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
