package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.TransportException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** One request on its way to the server, as often as it takes. For one thread. */
final class Sending {

  private static final Logger LOG = System.getLogger(Request.class.getName());

  private final RESTClient client;
  private final String method;
  private final HttpUrl url;
  private final RequestPath path;
  private final Headers headers;
  private final RequestContent content;
  private final Duration idle;
  private final Deadline deadline;
  private final Policies policies;
  private int number;

  /**
   * Prepares a request.
   *
   * @param path where it is sent, for metrics
   * @param headers those of the request itself; the client adds who it is
   * @param idle how long the body of the answer may be silent, zero for any time
   */
  Sending(
      RESTClient client,
      String method,
      HttpUrl url,
      RequestPath path,
      Headers headers,
      RequestContent content,
      Duration idle,
      Deadline deadline) {
    this.client = client;
    this.method = method;
    this.url = url;
    this.path = path;
    this.headers = headers;
    this.content = content;
    this.idle = idle;
    this.deadline = deadline;
    this.policies = client.policies();
  }

  /** Sends the request until there is an answer that is not to be tried again. */
  HttpResponse send(Retries retries) throws InterruptedException {
    boolean isGet = method.equals("GET");
    Duration delay = Duration.ZERO;
    for (number = 1; ; number++) {
      hold(delay, number > 1 || !retries.isWatch());
      Optional<Duration> again;
      try {
        HttpResponse response = authenticated();
        again = retries.after(response);
        if (again.isEmpty() || deadline.isBefore(again.get())) {
          return response;
        }
        int code = response.code();
        policies.measure(metrics -> metrics.retried(attempt(), code));
        policies.log().busy(code, again.get(), method, url);
        response.discard();
      } catch (TransportException e) {
        again = retries.after(e, isGet);
        if (again.isEmpty() || deadline.isBefore(again.get())) {
          throw retries.withPrevious(e);
        }
        policies.log().unanswered(number, e);
      }
      delay = again.get();
    }
  }

  /**
   * Waits for the server to recover, then for our turn. A retry of a watch waits for its turn, a
   * watch does not.
   */
  private void hold(Duration delay, boolean throttled) throws InterruptedException {
    Duration backoff = policies.backoff().delay(ServerUrl.hostAndPort(url));
    Duration longer = backoff.compareTo(delay) > 0 ? backoff : delay;
    if (number > 1 || !longer.isZero()) {
      checkDeadline(longer, "the backoff");
      client.transport().sleep(longer, Transport.describe(method, url));
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
    boolean come = false;
    try {
      policies.measure(metrics -> metrics.throttled(attempt(), turn));
      policies.log().throttled(turn, method, url);
      checkDeadline(turn, "the rate limit");
      client.transport().sleep(turn, Transport.describe(method, url));
      come = true;
    } finally {
      if (!come) {
        // Or else those that gave up would keep all others waiting.
        policies.limiter().cancel();
      }
    }
  }

  private void checkDeadline(Duration wait, String reason) {
    if (deadline.isBefore(wait)) {
      throw new TransportException(
          TransportException.Kind.TIMEOUT,
          Transport.describe(method, url)
              + ": "
              + reason
              + " of this client would hold it back beyond its deadline",
          null);
    }
  }

  private RequestMetrics.Attempt attempt() {
    return new RequestMetrics.Attempt(
        method, ServerUrl.hostAndPort(url), url.encodedPath(), path.template(), number);
  }

  /**
   * Unlike client-go: a request that is refused because our credentials have expired is sent once
   * more if newer ones are at hand, so that no caller sees a token end.
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
    client.credentials().refused(credential);
    Credential renewed = content.isRepeatable() ? renewed() : null;
    if (renewed == null || renewed.equals(credential)) {
      return response;
    }
    response.discard();
    return once(renewed);
  }

  /** A plugin or a provider that the closing of the client has ended is not what went wrong. */
  private Credential credential() throws InterruptedException {
    client.transport().checkOpen();
    try {
      return client.credentials().current();
    } catch (ConfigException e) {
      if (client.transport().isClosed()) {
        throw TransportErrors.clientClosed(Transport.describe(method, url), e);
      }
      throw e;
    }
  }

  private @Nullable Credential renewed() throws InterruptedException {
    try {
      return client.credentials().current();
    } catch (ConfigException e) {
      LOG.log(Level.WARNING, "cannot renew the credentials that the server refused", e);
      return null;
    }
  }

  private HttpResponse once(Credential credential) throws InterruptedException {
    long start = client.clock().nanoTime();
    RequestLog log = policies.log();
    okhttp3.Request request =
        new okhttp3.Request.Builder()
            .url(url)
            .headers(RequestHeaders.complete(headers, client.config(), credential.authorization()))
            .method(method, content.toBody(method))
            .build();
    log.request(method, url, request.headers(), content);
    try {
      HttpResponse response = client.transport().send(request, idle, deadline.left());
      attempted(response.code(), response.protocol(), start);
      log.answer(method, url, response.headers());
      observe(response);
      return response;
    } catch (TransportException e) {
      attempted(0, e.kind().toString(), start);
      throw e;
    }
  }

  private void attempted(int code, String protocol, long start) {
    long now = client.clock().nanoTime();
    Duration took = Duration.ofNanos(now - start);
    policies.backoff().update(ServerUrl.hostAndPort(url), code, now);
    if (policies.hasMetrics()) {
      policies.measure(metrics -> metrics.attempted(attempt(), code, took));
    }
    policies.log().attempted(method, url, code, protocol, took);
  }

  /** Sizes and bodies are known when the answer has been read. */
  private void observe(HttpResponse response) {
    RequestLog log = policies.log();
    boolean logged = log.wantsBodies();
    if (!logged && !policies.hasMetrics()) {
      return;
    }
    RequestMetrics.Attempt attempt = attempt();
    if (logged) {
      response.keep(log.bodyLength());
    }
    response.whenReleased(
        () -> {
          policies.measure(
              metrics -> metrics.transferred(attempt, content.length(), response.count()));
          if (logged) {
            log.answerBody(method, url, response.kept(), response.count());
          }
        });
  }
}
