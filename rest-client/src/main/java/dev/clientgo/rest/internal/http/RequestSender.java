package dev.clientgo.rest.internal.http;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.clock.Deadline;
import dev.clientgo.rest.config.ExchangeListener;
import dev.clientgo.rest.config.ExchangeListener.Exchanged;
import dev.clientgo.rest.config.RequestHead;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.internal.auth.Credential;
import dev.clientgo.rest.internal.policy.RequestLog;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, and retries while the server asks for it or the connection breaks.
 *
 * <p>A busy server responds with status 429 or 5xx and {@code Retry-After}. It has not acted on the
 * request, so this class retries any verb. After a broken connection it retries only requests that
 * change nothing. A refused connection is an error at once; the caller decides what to do.
 *
 * <p>Corresponds to client-go's {@code rest.WithRetry} and {@code Request.request}. Not safe for
 * use by many threads.
 */
public final class RequestSender {

  /** The requests that are retried after a broken connection. */
  public enum OnLostConnection {
    /** A GET. */
    GET,
    /** A watch, also after a timeout. */
    WATCH,
    /** None. */
    NEVER
  }

  /** The shortest timeout of OkHttp, for which zero means no limit. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final Duration AFTER_LOST_CONNECTION = Duration.ofSeconds(1);

  private static final Logger LOG = System.getLogger("dev.clientgo.rest.Request");

  private static final List<String> KEPT_HEADERS = List.of("Content-Type", "ETag");

  private final ClientContext context;
  private final RequestTarget target;
  private final String method;
  private final HttpUrl url;
  private final Headers headers;
  private final RequestContent content;
  private final Duration idle;
  private final Duration timeout;
  private final Deadline deadline;
  private final RequestPolicies policies;
  private int number;

  /**
   * Prepares a request.
   *
   * @param headers the headers of the request and of its client; this class adds the credentials
   * @param idle how long the body of the response may be silent, zero for no limit
   * @param timeout of the request, its retries and the body of the response, from now on; zero for
   *     no limit
   */
  public RequestSender(
      ClientContext context,
      RequestTarget target,
      HttpUrl url,
      Headers headers,
      RequestContent content,
      Duration idle,
      Duration timeout) {
    this.context = context;
    this.target = target;
    this.method = target.verb();
    this.url = url;
    this.headers = headers;
    this.content = content;
    this.idle = idle;
    this.timeout = timeout;
    this.deadline = context.clock().deadline(timeout);
    this.policies = context.policies();
  }

  /**
   * Sends the request and retries it until there is a final response.
   *
   * @param onLost the requests that are retried after a broken connection
   * @param maxRetries the most retries
   */
  public HttpResponse send(OnLostConnection onLost, int maxRetries) throws InterruptedException {
    int max = content.isRepeatable() ? maxRetries : 0;
    TransportException previous = null;
    Duration delay = Duration.ZERO;
    for (number = 1; ; number++) {
      hold(delay, number > 1 || onLost != OnLostConnection.WATCH);
      Optional<Duration> again;
      try {
        HttpResponse response = authenticated();
        again = number <= max ? delayAfter(response) : Optional.empty();
        if (again.isEmpty() || endsBefore(again.get())) {
          return response;
        }
        int code = response.code();
        policies.measure(metrics -> metrics.retried(attempt(), code));
        policies.log().busy(code, again.get(), method, url);
        response.discard();
      } catch (TransportException e) {
        if (number > max || !isRetryable(e, onLost) || endsBefore(AFTER_LOST_CONNECTION)) {
          throw withPrevious(e, previous);
        }
        previous = e;
        again = Optional.of(AFTER_LOST_CONNECTION);
        policies.log().unanswered(number, e);
      }
      delay = again.get();
    }
  }

  /** Returns the delay that a busy server asks for; empty if the response is final. */
  private static Optional<Duration> delayAfter(HttpResponse response) {
    return response.code() == 429 || response.code() >= 500
        ? response.retryAfter()
        : Optional.empty();
  }

  private boolean isRetryable(TransportException e, OnLostConnection onLost) {
    return switch (onLost) {
      case GET -> method.equals("GET") && e.kind() == Kind.CONNECTION_LOST;
      case WATCH -> isLostWatch(e);
      case NEVER -> false;
    };
  }

  /** Returns whether the connection to the server broke or timed out. */
  public static boolean isLostWatch(TransportException e) {
    return e.kind() == Kind.CONNECTION_LOST || e.kind() == Kind.TIMEOUT;
  }

  /** Returns an error combined with that of a previous attempt, if they differ. */
  public static TransportException withPrevious(
      TransportException e, @Nullable TransportException previous) {
    if (previous == null || String.valueOf(previous.getMessage()).equals(e.getMessage())) {
      return e;
    }
    TransportException both =
        new TransportException(
            e.kind(),
            e.getMessage() + " - error from a previous attempt: " + previous.getMessage(),
            e.getCause());
    both.addSuppressed(previous);
    return both;
  }

  /**
   * Waits for the server to recover, then for the rate limiter. The limiter delays retries of a
   * watch, but not the watch itself.
   */
  private void hold(Duration delay, boolean throttled) throws InterruptedException {
    Duration backoff = policies.backoff().delay(context.transport().serverName());
    Duration longer = backoff.compareTo(delay) > 0 ? backoff : delay;
    if (number > 1 || !longer.isZero()) {
      checkDeadline(longer, "the backoff");
      context.transport().sleep(longer, TransportErrors.describe(method, url));
    }
    if (throttled) {
      awaitTurn();
    }
  }

  private void awaitTurn() throws InterruptedException {
    Duration turn = policies.limiter().reserve();
    if (turn.isZero()) {
      return;
    }
    boolean waited = false;
    try {
      policies.measure(metrics -> metrics.throttled(attempt(), turn));
      policies.log().throttled(turn, method, url);
      checkDeadline(turn, "the rate limit");
      context.transport().sleep(turn, TransportErrors.describe(method, url));
      waited = true;
    } finally {
      if (!waited) {
        // Otherwise abandoned requests would delay the others.
        policies.limiter().cancel();
      }
    }
  }

  private void checkDeadline(Duration wait, String reason) {
    if (endsBefore(wait)) {
      throw new TransportException(
          TransportException.Kind.TIMEOUT,
          TransportErrors.describe(method, url)
              + ": "
              + reason
              + " of this client would delay it beyond its deadline",
          null);
    }
  }

  /** Returns whether the deadline comes before the end of a duration. */
  private boolean endsBefore(Duration duration) {
    return !timeout.isZero() && left().compareTo(duration) < 0;
  }

  /** Returns the time until the deadline, at least 1 ms; zero if there is none. */
  private Duration left() {
    if (timeout.isZero()) {
      return Duration.ZERO;
    }
    Duration left = deadline.left();
    return left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
  }

  private RequestMetrics.Attempt attempt() {
    return new RequestMetrics.Attempt(
        method, context.transport().serverName(), url.encodedPath(), target.template(), number);
  }

  /**
   * Unlike client-go: a request that is rejected because its credentials have expired is sent once
   * more with newer ones, so that no caller notices the end of a token.
   */
  private HttpResponse authenticated() throws InterruptedException {
    if (headers.get("Authorization") != null) {
      return once(Credential.NONE);
    }
    Credential credential = credential();
    HttpResponse response = once(credential);
    if (response.code() != 401) {
      return response;
    }
    context.credentials().refused(credential);
    Credential renewed = content.isRepeatable() ? renewed() : null;
    if (renewed == null || renewed.equals(credential)) {
      return response;
    }
    response.discard();
    return once(renewed);
  }

  /** If close() has stopped a plugin or a provider, the error is that the client was closed. */
  private Credential credential() throws InterruptedException {
    context.transport().checkOpen();
    try {
      return context.credentials().current();
    } catch (ConfigException e) {
      if (context.transport().isClosed()) {
        throw TransportErrors.clientClosed(TransportErrors.describe(method, url), e);
      }
      throw e;
    }
  }

  private @Nullable Credential renewed() throws InterruptedException {
    try {
      return context.credentials().current();
    } catch (ConfigException e) {
      LOG.log(Level.WARNING, "Cannot renew the credentials that the server rejected", e);
      return null;
    }
  }

  private HttpResponse once(Credential credential) throws InterruptedException {
    try {
      return intercepted(credential);
    } catch (InterruptedException | RuntimeException e) {
      if (policies.hasExchanges()) {
        policies.exchanged(
            new Exchanged(method, url.uri(), sent(), 0, Map.of(), new byte[0], true, e));
      }
      throw e;
    }
  }

  private byte[] sent() {
    byte[] sent = content.bytes();
    return sent == null ? new byte[0] : sent;
  }

  private HttpResponse intercepted(Credential credential) throws InterruptedException {
    if (policies.interceptors().isEmpty()) {
      return exchange(headers, credential);
    }
    RequestHead head =
        new RequestHead(
            method, url.uri(), target.template(), number, InterceptedAttempt.values(headers));
    return new InterceptedAttempt(
            policies.interceptors(), head, intercepted -> exchange(intercepted, credential))
        .send();
  }

  private HttpResponse exchange(Headers own, Credential credential) throws InterruptedException {
    boolean upgrades = own.get("Upgrade") != null;
    GuardedAttempt guarded = GuardedAttempt.of(context.guard(), method, url, upgrades);
    guarded.check();
    long start = context.clock().nanoTime();
    RequestLog log = policies.log();
    okhttp3.Request request =
        new okhttp3.Request.Builder()
            .url(url)
            .headers(RequestHeaders.authorize(own, credential.authorization()))
            .method(method, content.toBody(method))
            .tag(GuardedAttempt.class, guarded)
            .build();
    log.request(method, url, request.headers(), content.bytes());
    try {
      HttpResponse response = context.transport().send(request, idle, left());
      boolean returned = false;
      try {
        attempted(response.code(), response.protocol(), start);
        log.answer(method, url, response.headers());
        observe(response);
        returned = true;
        return response;
      } finally {
        if (!returned) { // A logger has failed, for example.
          response.close();
        }
      }
    } catch (TransportException e) {
      attempted(0, e.kind().toString(), start);
      throw guarded.failed(e);
    }
  }

  private void attempted(int code, String protocol, long start) {
    long now = context.clock().nanoTime();
    Duration took = Duration.ofNanos(now - start);
    policies.backoff().update(context.transport().serverName(), code, now);
    if (policies.hasMetrics()) {
      policies.measure(metrics -> metrics.attempted(attempt(), code, took));
    }
    policies.log().attempted(method, url, code, protocol, took);
  }

  /** Sizes and bodies are known only after the response is read. */
  private void observe(HttpResponse response) {
    RequestLog log = policies.log();
    boolean logged = log.wantsBodies();
    boolean recorded = policies.hasExchanges();
    if (!logged && !recorded && !policies.hasMetrics()) {
      return;
    }
    RequestMetrics.Attempt attempt = attempt();
    if (logged || recorded) {
      response.keep(recorded ? ExchangeListener.MAX_BODY : log.bodyLength());
    }
    response.whenReleased(
        () -> {
          policies.measure(
              metrics -> metrics.transferred(attempt, content.length(), response.count()));
          if (recorded) {
            policies.exchanged(exchanged(response));
          }
          if (logged) {
            log.answerBody(method, url, response.kept(), response.count());
          }
        });
  }

  private Exchanged exchanged(HttpResponse response) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : KEPT_HEADERS) {
      String value = response.header(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    response.retryAfter().ifPresent(d -> headers.put("Retry-After", "" + d.toSeconds()));
    byte[] received = response.kept();
    boolean complete = received.length == response.count();
    return new Exchanged(
        method,
        url.uri(),
        sent(),
        response.code(),
        headers,
        received,
        complete,
        response.failure());
  }
}
