package dev.clientgo.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import okio.ByteString;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends requests to a server as they are written, and keeps each with its answer in a folder. Not
 * our own client, whose mistakes the recordings are to show.
 */
final class ExchangeRecorder implements AutoCloseable {

  /** The users that the server knows; others may do nothing. */
  static final String TOKENS = "admin-token,admin,1,\"system:masters\"\nview-token,token-view,2\n";

  private static final String ADMIN = "admin-token";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OkHttpClient http;
  private final String url;
  private final Path folder;
  private final Clock clock = Clock.system();

  ExchangeRecorder(KubeApiServer server, Path folder) {
    this.url = server.url().toString();
    this.folder = folder;
    X509TrustManager trust = trust(server);
    this.http =
        new OkHttpClient.Builder()
            .protocols(List.of(Protocol.HTTP_1_1))
            .readTimeout(PATIENCE)
            .sslSocketFactory(sockets(trust).getSocketFactory(), trust)
            .build();
  }

  private static X509TrustManager trust(KubeApiServer server) {
    byte[] authority =
        KubeConfig.parse(server.kubeconfig())
            .clusters()
            .values()
            .iterator()
            .next()
            .certificateAuthorityData();
    try {
      Certificate certificate =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(requireNonNull(authority)));
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry("authority", certificate);
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return (X509TrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext sockets(X509TrustManager trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A request.
   *
   * @param token the token of the user; empty for none
   * @param lines how much of the body is read: all if 0, that many lines of a watch otherwise
   */
  record Call(String method, String target, Headers headers, String body, String token, int lines) {

    private static final Headers JSON = Headers.of("Accept", "application/json");

    static Call get(String target) {
      return new Call("GET", target, JSON, "", ADMIN, 0);
    }

    static Call delete(String target, String json) {
      return get(target).with("DELETE", "application/json", json);
    }

    static Call post(String target, String json) {
      return get(target).with("POST", "application/json", json);
    }

    static Call put(String target, String json) {
      return get(target).with("PUT", "application/json", json);
    }

    static Call patch(String target, String contentType, String body) {
      return get(target).with("PATCH", contentType, body);
    }

    Call with(String method, String contentType, String body) {
      return new Call(
          method,
          target,
          headers.newBuilder().set("Content-Type", contentType).build(),
          body,
          token,
          lines);
    }

    Call header(String name, String value) {
      Headers more = headers.newBuilder().set(name, value).build();
      return new Call(method, target, more, body, token, lines);
    }

    Call as(String token) {
      return new Call(method, target, headers, body, token, lines);
    }

    Call lines(int lines) {
      return new Call(method, target, headers, body, token, lines);
    }
  }

  /** Sends a request, keeps the exchange and returns it. */
  Exchange record(String name, Call call) throws IOException {
    Exchange exchange = exchange(name, call);
    exchange.write(folder);
    return exchange;
  }

  /** Sends a request of which nothing is kept, and which must succeed. */
  JsonNode send(Call call) throws IOException {
    Exchange exchange = exchange("", call);
    if (exchange.answer().code() / 100 != 2) {
      throw new IOException(call + ": " + exchange.answer().body().utf8());
    }
    return json(exchange);
  }

  /** Sends a request until the answer is as it should be. */
  void await(Call call, Predicate<Exchange> condition) throws IOException, InterruptedException {
    long deadline = clock.nanoTime() + PATIENCE.toNanos();
    while (!condition.test(exchange("", call))) {
      if (clock.nanoTime() - deadline > 0) {
        throw new IOException(call + " does not become what it should");
      }
      clock.sleep(Duration.ofMillis(50));
    }
  }

  /** Has etcd forget all that was before a version. */
  void forget(URI etcd, String version) throws IOException {
    String compaction = "{\"revision\": \"" + version + "\", \"physical\": true}";
    Request request =
        new Request.Builder()
            .url(etcd.resolve("/v3/kv/compaction").toString())
            .post(RequestBody.create(compaction.getBytes(UTF_8)))
            .build();
    try (Response response = http.newCall(request).execute()) {
      if (!response.isSuccessful()) {
        throw new IOException("etcd does not forget: " + response.body().string());
      }
    }
  }

  static JsonNode json(Exchange exchange) {
    return JsonMapper.shared().readTree(exchange.answer().body().utf8());
  }

  private Exchange exchange(String name, Call call) throws IOException {
    Request.Builder request =
        new Request.Builder()
            .url(url + call.target)
            .headers(call.headers)
            .header("User-Agent", "record-wire")
            .method(call.method, body(call));
    if (!call.token.isEmpty()) {
      request.header("Authorization", "Bearer " + call.token);
    }
    if (call.headers.get("Accept-Encoding") == null) {
      request.header("Accept-Encoding", "identity"); // Or OkHttp asks for gzip, and hides it.
    }
    try (Response response = http.newCall(request.build()).execute()) {
      return new Exchange(
          name,
          new Exchange.Question(
              call.method, call.target, kept(call), ByteString.encodeUtf8(call.body)),
          new Exchange.Answer(
              response.code(), response.message(), response.headers(), read(response, call.lines)));
    }
  }

  /** Leaves out the name of the administrator and all tokens. */
  private static Headers kept(Call call) {
    Headers.Builder headers = call.headers.newBuilder();
    if (!call.token.isEmpty() && !call.token.equals(ADMIN)) {
      headers.set("Authorization", "Bearer REDACTED");
    }
    return headers.set("User-Agent", "record-wire").build();
  }

  private static RequestBody body(Call call) {
    if (call.body.isEmpty()) {
      return call.method.equals("GET") ? null : RequestBody.create(new byte[0]);
    }
    return RequestBody.create(
        call.body.getBytes(UTF_8), MediaType.get(requireNonNull(call.headers.get("Content-Type"))));
  }

  private static ByteString read(Response response, int lines) throws IOException {
    BufferedSource source = response.body().source();
    if (lines == 0) {
      return source.readByteString();
    }
    Buffer read = new Buffer();
    for (int i = 0; i < lines; i++) {
      read.writeUtf8(source.readUtf8LineStrict()).writeByte('\n');
    }
    return read.readByteString();
  }

  @Override
  public void close() {
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
