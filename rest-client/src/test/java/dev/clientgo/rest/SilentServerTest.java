package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server accepts connections and never answers, and requests have no timeout. Closing the client
 * ends each call at once with an error that says so; an interruption ends it with {@link
 * InterruptedException}.
 *
 * <p>All time limits of the client are ten minutes here, and a test waits for thirty seconds: a
 * call that ends was ended, and did not time out.
 */
@Timeout(300)
@SuppressWarnings("try") // The block closes the client again if the test fails before it does.
final class SilentServerTest {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Timeouts PATIENT = new Timeouts(LONG, LONG, LONG, Duration.ZERO);

  /** The peer that accepts the connection, and what the client waits for. */
  enum Peer {
    HTTP_SERVER,
    TLS_SERVER,
    HTTP_PROXY,
    TLS_PROXY,
    SOCKS_PROXY,
    SOCKS_PROXY_WITH_PASSWORD;

    RestConfig.Builder config(int port) {
      String address = "127.0.0.1:" + port;
      RestConfig.Builder proxied = RestConfig.builder("https://api.example:6443");
      return switch (this) {
        case HTTP_SERVER -> RestConfig.builder("http://" + address);
        case TLS_SERVER -> RestConfig.builder("https://" + address);
        case HTTP_PROXY -> proxied.proxy(URI.create("http://" + address));
        case TLS_PROXY -> proxied.proxy(URI.create("https://" + address));
        case SOCKS_PROXY ->
            RestConfig.builder("https://192.0.2.1:6443").proxy(URI.create("socks5://" + address));
        case SOCKS_PROXY_WITH_PASSWORD ->
            proxied.proxy(URI.create("socks5://me:secret@" + address));
      };
    }
  }

  private static RESTClient client(RestConfig config) {
    return RESTClient.create(config, Clock.system(), PATIENT);
  }

  private static void assertClosed(Throwable failure) {
    assertThat(failure).hasMessageContaining("the client was closed");
    assertThat(failure)
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLIENT_CLOSED));
  }

  @ParameterizedTest
  @EnumSource
  void close_endsACallThatIsNotAnswered(Peer peer) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        RESTClient client = client(peer.config(silent.getLocalPort()).build())) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      try (Socket accepted = silent.accept()) {
        assertThat(accepted.getInputStream().read()).isNotNegative();

        client.close();

        assertClosed(call.failure());
        assertThat(client.transport().connections()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void interrupt_endsACallThatIsNotAnswered(Peer peer) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        RESTClient client = client(peer.config(silent.getLocalPort()).build())) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      try (Socket accepted = silent.accept()) {
        assertThat(accepted.getInputStream().read()).isNotNegative();

        call.interrupt();

        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      }
    }
  }

  /** The request has more bytes than the buffers of the sockets take. */
  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void close_endsACallWhoseBodyIsNotRead(TestServer.Wire wire) throws Exception {
    try (TestServer server = TestServer.start(wire);
        RESTClient client = client(server.config().build())) {
      server.enqueue(new MockResponse.Builder().onRequestBody(SocketEffect.Stall.INSTANCE).build());
      byte[] large = new byte[64 << 20];
      TestThread<Result> call =
          TestThread.start(
              () -> client.post().absPath("/x").body(large, "application/json").execute());
      call.awaitIn("writeTo");

      client.close();

      assertClosed(call.failure());
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_endsACallThatWaitsForTheHead(TestServer.Wire wire) throws Exception {
    try (TestServer server = TestServer.start(wire);
        RESTClient client = client(server.config().build())) {
      server.enqueue(
          new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE).build());
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      server.takeRequest();

      client.close();

      assertClosed(call.failure());
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_endsACallThatReadsTheBody(TestServer.Wire wire) throws Exception {
    assertBodyEnds(wire, "readAll", client -> client.get().absPath("/x").execute());
  }

  @ParameterizedTest
  @EnumSource
  void close_endsAListWhoseBodyStops(TestServer.Wire wire) throws Exception {
    assertBodyEnds(
        wire,
        "readList",
        client ->
            client
                .dynamic(new GroupVersionResource("", "v1", "pods"))
                .list(ListOptions.NONE, pod -> {}));
  }

  /** Runs in a separate thread. */
  private interface Call {
    Object with(RESTClient client) throws Exception;
  }

  private static void assertBodyEnds(TestServer.Wire wire, String method, Call read)
      throws Exception {
    EndlessBody body = new EndlessBody(wire).send("{");
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = client(server.config().build())) {
      TestThread<Object> call = TestThread.start(() -> read.with(client));
      call.awaitIn(method);

      client.close();

      assertClosed(call.failure());
      assertThat(client.transport().openResponses()).isZero();
      body.end();
    }
  }

  /** A stream is read through {@code InputStream}, whose errors are those of the JDK. */
  @ParameterizedTest
  @EnumSource
  void close_endsAStreamThatIsSilent(TestServer.Wire wire) throws Exception {
    EndlessBody body = new EndlessBody(wire).send("log");
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = client(server.config().build())) {
      TestThread<byte[]> call =
          TestThread.start(
              () -> {
                try (InputStream log = client.get().absPath("/log").stream()) {
                  return log.readNBytes(4);
                }
              });
      call.awaitIn("readNBytes");

      client.close();

      assertThat(call.failure())
          .isInstanceOf(IOException.class)
          .hasMessage("the client was closed");
      body.end();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_endsAWatchThatIsSilent(TestServer.Wire wire) throws Exception {
    EndlessBody body = new EndlessBody(wire).send("\n");
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = client(server.config().build())) {
      TestThread<Optional<?>> call =
          TestThread.start(
              () ->
                  client
                      .dynamic(new GroupVersionResource("", "v1", "pods"))
                      .watch(ListOptions.NONE)
                      .next());
      call.awaitIn("next");

      client.close();

      assertThat(call.result()).isEmpty();
      body.end();
    }
  }

  /* --------------- Waits of the client itself --------------- */

  /** The server is busy and asks for an hour. */
  @Test
  void close_endsTheWaitForARetry() throws Exception {
    FakeClock clock = FakeClock.create();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client = RESTClient.create(server.config().build(), clock, PATIENT)) {
      server.always(
          TestServer.json(429, "{}").newBuilder().setHeader("Retry-After", "3600").build());
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      clock.awaitWaiters(1);

      client.close();

      assertClosed(call.failure());
      assertThat(server.requestCount()).isEqualTo(1);
    }
  }

  @Test
  void close_endsTheWaitForARateLimit() throws Exception {
    FakeClock clock = FakeClock.create();
    RequestRateLimiter hourly = () -> Duration.ofHours(1);
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client =
            RESTClient.builder(server.config().build(), Map.of())
                .clock(clock, PATIENT)
                .rateLimiter(hourly)
                .build()) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      clock.awaitWaiters(1);

      client.close();

      assertClosed(call.failure());
      assertThat(server.requestCount()).isZero();
    }
  }

  /** One call runs the plugin, another waits for its answer. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void close_endsCallsThatWaitForACredentialPlugin() throws Exception {
    ExecConfig plugin =
        ExecConfig.builder(ExecConfig.V1, "sh")
            .args(List.of("-c", "sleep 600"))
            .interactiveMode(ExecConfig.InteractiveMode.NEVER)
            .timeout(LONG)
            .build();
    try (RESTClient client =
        client(RestConfig.builder("https://127.0.0.1:1").exec(plugin).build())) {
      Callable<Result> get = () -> client.get().absPath("/x").execute();
      TestThread<Result> running = TestThread.start(get).awaitIn("get");
      TestThread<Result> waiting = TestThread.start(get).awaitIn("lockInterruptibly");

      client.close();

      assertClosed(running.failure());
      assertClosed(waiting.failure());
    }
  }

  @Test
  void close_endsACallThatWaitsForAnIdentityProvider() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Map<String, String> user =
          Map.of(
              "idp-issuer-url",
              "http://127.0.0.1:" + silent.getLocalPort(),
              "client-id",
              "id",
              "refresh-token",
              "r");
      try (RESTClient client =
          client(
              RestConfig.builder("https://127.0.0.1:1")
                  .oidc(OidcConfig.of(user, "user \"u\"", tokens -> {}))
                  .build())) {
        TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
        try (Socket accepted = silent.accept()) {
          assertThat(accepted.getInputStream().read()).isNotNegative();

          client.close();

          assertClosed(call.failure());
        }
      }
    }
  }
}
