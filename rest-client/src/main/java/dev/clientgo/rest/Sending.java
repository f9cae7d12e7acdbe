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
  private final Headers headers;
  private final RequestContent content;
  private final Duration idle;
  private final Deadline deadline;

  /**
   * Prepares a request.
   *
   * @param headers those of the request itself; the client adds who it is
   * @param idle how long the body of the answer may be silent, zero for any time
   */
  Sending(
      RESTClient client,
      String method,
      HttpUrl url,
      Headers headers,
      RequestContent content,
      Duration idle,
      Deadline deadline) {
    this.client = client;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.content = content;
    this.idle = idle;
    this.deadline = deadline;
  }

  /** Sends the request until there is an answer that is not to be tried again. */
  HttpResponse send(Retries retries) throws InterruptedException {
    boolean isGet = method.equals("GET");
    while (true) {
      Optional<Duration> delay;
      try {
        HttpResponse response = authenticated();
        delay = retries.after(response);
        if (delay.isEmpty()) {
          return response;
        }
        response.discard();
      } catch (TransportException e) {
        delay = retries.after(e, isGet);
        if (delay.isEmpty()) {
          throw retries.withPrevious(e);
        }
      }
      client.clock().sleep(delay.get());
    }
  }

  /**
   * Unlike client-go: a request that is refused because our credentials have expired is sent once
   * more if newer ones are at hand, so that no caller sees a token end.
   */
  private HttpResponse authenticated() throws InterruptedException {
    if (headers.get("Authorization") != null) {
      return once(Credential.NONE);
    }
    Credential credential = client.credentials().current();
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
    okhttp3.Request request =
        new okhttp3.Request.Builder()
            .url(url)
            .headers(RequestHeaders.complete(headers, client.config(), credential.authorization()))
            .method(method, content.toBody(method))
            .build();
    HttpResponse response = client.transport().send(request, idle, deadline.left());
    if (LOG.isLoggable(Level.DEBUG)) {
      Duration took = Duration.ofNanos(client.clock().nanoTime() - start);
      LOG.log(
          Level.DEBUG,
          "request method={0} url={1} status={2} protocol={3} millis={4}",
          method,
          url,
          Integer.toString(response.code()),
          response.protocol(),
          Long.toString(took.toMillis()));
    }
    return response;
  }
}
