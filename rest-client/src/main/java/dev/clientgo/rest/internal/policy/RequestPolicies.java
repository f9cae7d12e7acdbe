package dev.clientgo.rest.internal.policy;

import dev.clientgo.clock.CrashLog;
import dev.clientgo.rest.config.ExchangeListener;
import dev.clientgo.rest.config.ExchangeListener.Exchanged;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.URLBackoff;
import dev.clientgo.rest.config.WarningHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The interceptors, warnings handler, rate limiter, backoff and observers of a client. */
public record RequestPolicies(
    List<RequestInterceptor> interceptors,
    WarningHandler warnings,
    RequestRateLimiter limiter,
    URLBackoff backoff,
    RequestMetrics metrics,
    RequestLog log,
    ExchangeListener exchanges) {

  private static final CrashLog CRASHES =
      new CrashLog(System.getLogger(RequestPolicies.class.getName()));

  /** The default policies. */
  public static RequestPolicies standard() {
    return of(System.getenv());
  }

  /** The default policies with the backoff that environment variables set. */
  public static RequestPolicies of(Map<String, String> environment) {
    return new RequestPolicies(
        List.of(),
        WarningHandler.logging(),
        RequestRateLimiter.UNLIMITED,
        URLBackoff.of(environment),
        RequestMetrics.NONE,
        RequestLog.STANDARD,
        ExchangeListener.NONE);
  }

  public RequestPolicies withInterceptor(RequestInterceptor last) {
    List<RequestInterceptor> all = new ArrayList<>(interceptors);
    all.add(last);
    return new RequestPolicies(
        List.copyOf(all), warnings, limiter, backoff, metrics, log, exchanges);
  }

  public RequestPolicies withWarnings(WarningHandler warnings) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  public RequestPolicies withLimiter(RequestRateLimiter limiter) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  public RequestPolicies withBackoff(URLBackoff backoff) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  public RequestPolicies withMetrics(RequestMetrics metrics) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  /** Returns policies that report to these metrics, too. */
  public RequestPolicies withMoreMetrics(RequestMetrics more) {
    return withMetrics(hasMetrics() ? new BothMetrics(metrics, more) : more);
  }

  public RequestPolicies withLog(RequestLog log) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  /** Returns policies that pass exchanges to this listener instead. */
  public RequestPolicies withExchanges(ExchangeListener exchanges) {
    return new RequestPolicies(interceptors, warnings, limiter, backoff, metrics, log, exchanges);
  }

  /** Returns whether exchanges are wanted. */
  public boolean hasExchanges() {
    return exchanges != ExchangeListener.NONE;
  }

  public void exchanged(Exchanged exchanged) {
    guarded("ExchangeListener", () -> exchanges.exchanged(exchanged));
  }

  /** Passes the warnings of a response to a handler. */
  public void warn(WarningHandler handler, List<String> headers) {
    if (headers.isEmpty()) {
      return;
    }
    for (WarningHeaders.Warning warning : WarningHeaders.parse(headers)) {
      guarded(
          "WarningHandler", () -> handler.handle(warning.code(), warning.agent(), warning.text()));
    }
  }

  /** Returns whether metrics are wanted. */
  public boolean hasMetrics() {
    return metrics != RequestMetrics.NONE;
  }

  public void measure(Consumer<RequestMetrics> event) {
    guarded("RequestMetrics", () -> event.accept(metrics));
  }

  /** What receives events must not fail the request, nor leave its response open. */
  private static void guarded(String receiver, Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      CRASHES.failed("A receiver of a client failed: receiver=" + receiver, e);
    }
  }
}
