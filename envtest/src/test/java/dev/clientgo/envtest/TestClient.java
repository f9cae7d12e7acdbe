package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Sends raw HTTP, so that tests of servers do not depend on this library's client. Bodies may use
 * single quotes for double quotes.
 */
final class TestClient implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Headers NONE = Headers.of();

  private final OkHttpClient http;
  private final String url;
  private final Headers headers;

  private TestClient(OkHttpClient http, String url, Headers headers) {
    this.http = http;
    this.url = url;
    this.headers = headers;
  }

  /** Returns a client with administrator credentials. */
  static TestClient of(ApiServer server) {
    OkHttpClient.Builder http = new OkHttpClient.Builder().readTimeout(TIMEOUT);
    KubeConfigSecrets secrets = KubeConfigSecrets.of(server.kubeconfig());
    secrets.trust().ifPresent(trust -> http.sslSocketFactory(secrets.sockets(trust), trust));
    Headers headers =
        secrets.token().map(token -> Headers.of("Authorization", "Bearer " + token)).orElse(NONE);
    return new TestClient(http.build(), server.url().toString(), headers);
  }

  /** Returns a client of the same server that only speaks HTTP/1.1. */
  TestClient http1() {
    List<Protocol> protocols = List.of(Protocol.HTTP_1_1);
    return new TestClient(http.newBuilder().protocols(protocols).build(), url, headers);
  }

  /** Returns a client of the same server whose only credentials are these headers. */
  TestClient anonymous(String... others) {
    return new TestClient(http, url, Headers.of(others));
  }

  @Override
  public void close() {
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }

  /** A response, with its body parsed if it is JSON. */
  record Answer(
      int code, Protocol protocol, Headers headers, String text, Map<String, Object> json) {

    String reason() {
      return JsonTree.string(json, "reason");
    }

    String message() {
      return JsonTree.string(json, "message");
    }

    String resourceVersion() {
      return JsonTree.string(json, "metadata", "resourceVersion");
    }

    String name() {
      return JsonTree.string(json, "metadata", "name");
    }

    String uid() {
      return JsonTree.string(json, "metadata", "uid");
    }

    /** Returns the value at a path; numbers name the elements of lists. */
    @Nullable Object at(String... path) {
      Object value = json;
      for (String name : path) {
        value =
            value instanceof List<?> list
                ? list.get(Integer.parseInt(name))
                : JsonTree.asObject(value).get(name);
      }
      return value;
    }

    List<String> itemNames() {
      return JsonTree.objects(json, "items").stream()
          .map(item -> JsonTree.string(item, "metadata", "name"))
          .toList();
    }

    String header(String name) {
      String value = headers.get(name);
      return value == null ? "" : value;
    }
  }

  Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  Answer delete(String path) {
    return send("DELETE", path, null);
  }

  Answer delete(String path, String body) {
    return send("DELETE", path, body);
  }

  Answer mergePatch(String path, String body) {
    return send("PATCH", path, body, "Content-Type", "application/merge-patch+json");
  }

  Answer jsonPatch(String path, String body) {
    return send("PATCH", path, body, "Content-Type", "application/json-patch+json");
  }

  Answer send(String method, String path, @Nullable String body, String... extra) {
    Request request = request(path, extra).method(method, body(method, body, extra)).build();
    try (Response response = answer(request)) {
      String text = response.body().string();
      return new Answer(
          response.code(), response.protocol(), response.headers(), text, parse(text));
    } catch (IOException e) {
      throw new UncheckedIOException(request + " failed", e);
    }
  }

  private static @Nullable RequestBody body(
      String method, @Nullable String body, String... headers) {
    if (body == null) {
      return method.equals("GET") || method.equals("DELETE")
          ? null
          : RequestBody.create(new byte[0]);
    }
    String type = Headers.of(headers).get("Content-Type");
    MediaType mediaType = MediaType.get(type == null ? "application/json" : type);
    return RequestBody.create(body.replace('\'', '"').getBytes(UTF_8), mediaType);
  }

  private Request.Builder request(String path, String... extra) {
    Headers.Builder all = headers.newBuilder();
    Headers.of(extra).forEach(header -> all.add(header.getFirst(), header.getSecond()));
    return new Request.Builder().url(url + path).headers(all.build());
  }

  /** Opens a watch. */
  Events watch(String path, String... extra) {
    // OkHttp does not read what Kubernetes 1.37 compresses at each flush.
    Request request = request(path, extra).header("Accept-Encoding", "identity").build();
    try {
      return new Events(answer(request));
    } catch (IOException e) {
      throw new UncheckedIOException(request + " failed", e);
    }
  }

  /**
   * Sends a request again while the real server asks for it: it fills the cache of a new kind, or
   * has taken the request with a handler of a definition that has changed since.
   */
  private Response answer(Request request) throws IOException {
    Response response = http.newCall(request).execute();
    while (asksToRetry(response)) {
      response.close();
      response = http.newCall(request).execute();
    }
    return response;
  }

  private static boolean asksToRetry(Response response) throws IOException {
    return switch (response.code()) {
      case 429 -> peek(response).contains("storage is (re)initializing");
      case 503 -> peek(response).contains("apiserver is shutting down");
      default -> false;
    };
  }

  private static String peek(Response response) throws IOException {
    return response.peekBody(10_000).string();
  }

  private static Map<String, Object> parse(String text) {
    try {
      return JsonTree.asObject(JsonText.parse(text.getBytes(UTF_8)));
    } catch (CodecException e) {
      return Map.of(); // The body is not JSON.
    }
  }

  /** The events of a watch, one at a time. */
  static final class Events implements AutoCloseable {
    private final Response response;

    Events(Response response) {
      this.response = response;
    }

    int code() {
      return response.code();
    }

    /** Waits for the next event. */
    Event next() {
      String line = line();
      if (line == null) {
        throw new AssertionError("the watch ended");
      }
      return new Event(parse(line));
    }

    /** Returns the events before the next event of a type. */
    List<Event> until(String type) {
      List<Event> events = new ArrayList<>();
      Event event = next();
      while (!event.type().equals(type)) {
        events.add(event);
        event = next();
      }
      return events;
    }

    /** Waits for the end and returns the events before it. */
    List<Event> rest() {
      List<Event> events = new ArrayList<>();
      for (String line = line(); line != null; line = line()) {
        events.add(new Event(parse(line)));
      }
      return events;
    }

    private @Nullable String line() {
      try {
        return response.body().source().readUtf8Line();
      } catch (IOException e) {
        throw new UncheckedIOException("the watch broke", e);
      }
    }

    @Override
    public void close() {
      response.close();
    }
  }

  /** A watch event. */
  record Event(Map<String, Object> json) {
    String type() {
      return JsonTree.string(json, "type");
    }

    Map<String, Object> object() {
      return JsonTree.object(json, "object");
    }

    String name() {
      return JsonTree.string(json, "object", "metadata", "name");
    }

    String resourceVersion() {
      return JsonTree.string(json, "object", "metadata", "resourceVersion");
    }

    @Override
    public String toString() {
      return type() + " " + name();
    }
  }
}
