package dev.clientgo.rest.internal.http;

import dev.clientgo.rest.config.RequestHead;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.ResponseHead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Passes one attempt to send a request through the interceptors of a client. A response that does
 * not come back through all of them is closed. For one thread, and for one use.
 */
final class InterceptedAttempt {

  /** Sends the request over the connection. */
  @FunctionalInterface
  interface Connection {
    HttpResponse send(Headers headers) throws InterruptedException;
  }

  private final List<RequestInterceptor> interceptors;
  private final RequestHead request;
  private final Connection connection;
  private final Thread thread = Thread.currentThread();
  private boolean over;
  private @Nullable HttpResponse response;
  private @Nullable ResponseHead head;

  InterceptedAttempt(
      List<RequestInterceptor> interceptors, RequestHead request, Connection connection) {
    this.interceptors = interceptors;
    this.request = request;
    this.connection = connection;
  }

  @SuppressWarnings("ReferenceEquality") // An equal head might be that of another request.
  HttpResponse send() throws InterruptedException {
    boolean returned = false;
    try {
      ResponseHead last = proceed(0, request);
      HttpResponse received = response;
      if (received == null || last != head) {
        throw new IllegalStateException(
            "an interceptor of "
                + request
                + (received == null ? " has not sent it" : " has returned another response")
                + ": return the result of next.send(request), or throw");
      }
      returned = true;
      return received;
    } finally {
      over = true;
      if (!returned && response != null) {
        response.close();
      }
    }
  }

  private ResponseHead proceed(int index, RequestHead intercepted) throws InterruptedException {
    return index < interceptors.size()
        ? interceptors.get(index).intercept(intercepted, next -> proceed(index + 1, next))
        : sendOnce(intercepted);
  }

  private ResponseHead sendOnce(RequestHead intercepted) throws InterruptedException {
    if (!thread.equals(Thread.currentThread())) {
      throw new IllegalStateException(
          "an interceptor must send " + request + " in the thread that calls it");
    }
    if (over) {
      throw new IllegalStateException(
          "an interceptor must send " + request + " only once: the client itself retries");
    }
    if (!intercepted.method().equals(request.method())
        || !intercepted.url().equals(request.url())) {
      throw new IllegalStateException(
          "an interceptor has made " + intercepted + " of " + request + ": it may change headers");
    }
    over = true;
    HttpResponse received = connection.send(headers(intercepted));
    response = received;
    head = new ResponseHead(received.code(), values(received.headers()));
    return head;
  }

  /** Returns the values of each header; unlike OkHttp's own method, with names as they were. */
  static Map<String, List<String>> values(Headers headers) {
    Map<String, List<String>> values = new HashMap<>();
    headers.names().forEach(name -> values.put(name, headers.values(name)));
    return values;
  }

  private static Headers headers(RequestHead intercepted) {
    Headers.Builder headers = new Headers.Builder();
    intercepted
        .headers()
        .forEach((name, values) -> values.forEach(each -> headers.addUnsafeNonAscii(name, each)));
    return headers.build();
  }
}
