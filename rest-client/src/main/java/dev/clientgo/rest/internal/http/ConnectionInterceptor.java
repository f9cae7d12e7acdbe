package dev.clientgo.rest.internal.http;

import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.ServerConnection;
import dev.clientgo.rest.config.ServerConnection.Exchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.AsyncTimeout;
import okio.Buffer;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** Sends the requests of OkHttp over a {@link ServerConnection} instead of the network. */
final class ConnectionInterceptor extends EventListener implements Interceptor {

  private final ServerConnection connection;

  /** The exchanges that a cancellation of their call must close. */
  private final Map<Call, Exchange> open = new ConcurrentHashMap<>();

  ConnectionInterceptor(ServerConnection connection) {
    this.connection = connection;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    GuardedAttempt.of(request).check();
    Exchange exchange =
        connection.begin(
            request.method(), request.url().uri(), headers(request), body(request.body()));
    open.put(chain.call(), exchange);
    boolean opened = false;
    try {
      if (chain.call().isCanceled()) {
        throw new IOException("Canceled");
      }
      ResponseHead head = exchange.send();
      opened = true;
      return response(request, head, new Body(chain.call(), exchange));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      if (!opened) {
        canceled(chain.call());
      }
    }
  }

  /** Ends the exchange of a call. OkHttp calls this in the thread that cancels. */
  @Override
  public void canceled(Call call) {
    Exchange exchange = open.remove(call);
    if (exchange != null) {
      exchange.close();
    }
  }

  private static Map<String, List<String>> headers(Request request) {
    Map<String, List<String>> headers = new TreeMap<>(request.headers().toMultimap());
    RequestBody body = request.body();
    MediaType type = body == null ? null : body.contentType();
    if (type != null) {
      headers.put("content-type", List.of(type.toString()));
    }
    return headers;
  }

  private static byte[] body(@Nullable RequestBody body) throws IOException {
    Buffer bytes = new Buffer();
    if (body != null) {
      body.writeTo(bytes);
    }
    return bytes.readByteArray();
  }

  private static Response response(Request request, ResponseHead head, Body body) {
    Headers.Builder headers = new Headers.Builder();
    head.headers()
        .forEach((name, values) -> values.forEach(value -> headers.addUnsafeNonAscii(name, value)));
    Headers built = headers.build();
    String type = built.get("Content-Type");
    Response response =
        new Response.Builder()
            .request(request)
            .protocol(Protocol.HTTP_1_1)
            .code(head.code())
            .message("")
            .headers(built)
            .body(
                ResponseBody.create(
                    Okio.buffer(Okio.source(body)),
                    type == null ? null : MediaType.parse(type),
                    -1))
            .build();
    return RetryAfter.hide(response);
  }

  /**
   * The body of a response. Closing it ends the exchange. OkHttp's timeout of a call ends with the
   * headers here, so the body has as much time again.
   */
  private final class Body extends FilterInputStream {

    private final Call call;
    private final AsyncTimeout limit;

    Body(Call call, Exchange exchange) {
      super(exchange.body());
      this.call = call;
      limit =
          new AsyncTimeout() {
            @Override
            protected void timedOut() {
              call.cancel();
            }
          };
      limit.timeout(call.timeout().timeoutNanos(), TimeUnit.NANOSECONDS);
      limit.enter();
    }

    @Override
    public void close() {
      limit.exit();
      canceled(call);
    }
  }
}
