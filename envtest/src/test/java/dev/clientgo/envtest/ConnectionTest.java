package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.http.TrackingServerSocketFactory;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to the embedded server, and the faults that a test can inject. */
@Timeout(300)
final class ConnectionTest {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final String NAMESPACES = "/api/v1/namespaces";

  private static ResourceClient<Unstructured> maps(RESTClient client) {
    return client.dynamic(CONFIG_MAPS).inNamespace("default");
  }

  private static Unstructured map(String name) {
    return Unstructured.parse(
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}");
  }

  /** No thread may be reading yet: over HTTP/2 the server writes first. */
  @Test
  void connection_writeFails_isClosed() throws Exception {
    TrackingServerSocketFactory listener = new TrackingServerSocketFactory();
    try (ServerSocket server = listener.createServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Socket connection;
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
        connection = server.accept();
        client.setSoLinger(true, 0);
      }
      try (connection) {
        assertThat(listener.connections()).hasSize(1);
        assertThatThrownBy(
                () -> {
                  while (true) {
                    connection.getOutputStream().write(new byte[8192]);
                  }
                })
            .isInstanceOf(IOException.class);
        assertThat(listener.connections()).isEmpty();
      }
    }
  }

  /** Runs the example in the package's documentation. */
  @Test
  void packageExample_works() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> configMaps =
          client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
      configMaps.create(
          Unstructured.parse(
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));

      server.faults().on(request -> request.matches("get", "configmaps")).times(1).answer(500);
      assertThatThrownBy(() -> configMaps.get("a")).isInstanceOf(ApiStatusException.class);
      assertThat(configMaps.get("a").metadata().name()).isEqualTo("a");
    }
  }

  @Test
  void tls_speaksHttp2_andHttp1IfAsked() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start();
        TestClient client = TestClient.of(server)) {
      assertThat(server.url().getScheme()).isEqualTo("https");
      assertThat(client.get(NAMESPACES).protocol()).isEqualTo(Protocol.HTTP_2);
      assertThat(client.http1().get(NAMESPACES).protocol()).isEqualTo(Protocol.HTTP_1_1);
    }
  }

  /**
   * A request that cannot be read must not leave its client waiting; over HTTP/1.1 it can be read.
   */
  @Test
  void header_nonAscii_isAnswered_orFailsTheCallOverHttp2() throws Exception {
    for (boolean tls : new boolean[] {false, true}) {
      try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
          RESTClient client = RESTClient.create(server.restConfig())) {
        Request request =
            client.get().absPath("/version").header("X-Name", "J\u00fcrgen").maxRetries(0);
        if (tls) {
          assertThatThrownBy(request::execute).isInstanceOf(TransportException.class);
          client.get().absPath("/version").execute();
        } else {
          request.execute();
        }
      }
    }
  }

  @Test
  void tls_withoutTheAuthority_isNotTrusted() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start();
        RESTClient client =
            RESTClient.create(RestConfig.builder(server.url().toString()).build())) {
      assertThatThrownBy(() -> maps(client).list(ListOptions.NONE))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CERTIFICATE));
    }
  }

  @Test
  void token_isRequired() throws Exception {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().tls(true).token("let-me-in").start();
        TestClient client = TestClient.of(server);
        RESTClient ours = RESTClient.create(server.restConfig())) {
      assertThat(maps(ours).list(ListOptions.NONE).items()).isEmpty();
      Answer without = client.anonymous().get(NAMESPACES);
      Answer wrong = client.anonymous("Authorization", "Bearer wrong").get(NAMESPACES);

      assertThat(List.of(without.code(), wrong.code())).containsExactly(403, 401);
      assertThat(wrong.reason()).isEqualTo("Unauthorized");
      assertThat(wrong.text()).doesNotContain("let-me-in").doesNotContain("wrong");
    }
  }

  @Test
  void slowWatcher_delaysNoOtherClient_andMissesNoEvent() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> maps = maps(client);
      String big = "x".repeat(20_000);
      try (Watch<Unstructured> watch = maps.watch(ListOptions.NONE)) {
        for (int i = 0; i < 200; i++) {
          maps.create(map("m" + i).with(big, "data", "k"));
        }
        List<String> names = new ArrayList<>();
        while (names.size() < 200) {
          WatchEvent<Unstructured> event = watch.next().orElseThrow();
          names.add(((WatchEvent.Added<Unstructured>) event).value().metadata().name());
        }
        assertThat(names).startsWith("m0").endsWith("m199").doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void fault_warning_reachesTheHandler() throws Exception {
    List<String> warnings = new ArrayList<>();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client =
            RESTClient.builder(server.restConfig())
                .warningHandler((code, agent, text) -> warnings.add(code + " " + text))
                .build()) {
      server
          .faults()
          .on(request -> request.matches("list", "configmaps"))
          .times(1)
          .warn("it is old");

      maps(client).list(ListOptions.NONE);
    }
    assertThat(warnings).containsExactly("299 it is old");
  }

  @Test
  void fault_tooManyRequests_sendsRetryAfter_evenIfZero() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient client = TestClient.of(server)) {
      for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofSeconds(2))) {
        server
            .faults()
            .on(request -> request.matches("list", "namespaces"))
            .answerTooManyRequests(wait);
      }

      assertThat(List.of(client.get(NAMESPACES), client.get(NAMESPACES), client.get(NAMESPACES)))
          .extracting(Answer::code, answer -> answer.header("Retry-After"))
          .containsExactly(tuple(429, "0"), tuple(429, "1"), tuple(429, "2"));
    }
  }

  @Test
  void fault_tooManyRequestsZeroSeconds_isRetried() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server
          .faults()
          .on(request -> request.matches("list", "configmaps"))
          .answerTooManyRequests(Duration.ZERO);

      assertThat(maps(client).list(ListOptions.NONE).items()).isEmpty();
      assertThat(server.requests(request -> request.matches("list", "configmaps"))).hasSize(2);
    }
  }

  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void fault_cutAfterZeroBytes_needsNoEvent(boolean tls) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.faults().on(request -> request.matches("watch", "configmaps")).cutAfter(0);
      server.faults().on(request -> request.matches("list", "configmaps")).cutAfter(0);

      try (Watch<Unstructured> watch = maps(client).watch(ListOptions.NONE)) {
        assertThat(watch.next()).isEmpty();
      }
      assertThatThrownBy(() -> maps(client).list(ListOptions.NONE))
          .isInstanceOf(TransportException.class);
    }
  }

  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void fault_goSilentAfterSomeBytes_endsAtTheTimeoutOfTheRequest(boolean tls) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
        RESTClient impatient =
            RESTClient.create(
                server.restConfig().toBuilder().timeout(Duration.ofMillis(500)).build())) {
      server.faults().on(request -> request.matches("list", "configmaps")).goSilentAfter(20);

      assertThatThrownBy(() -> maps(impatient).list(ListOptions.NONE))
          .isInstanceOf(TransportException.class);
    }
  }

  @Test
  void fault_garbledBody_cannotBeDecoded() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.faults().on(request -> request.matches("list", "configmaps")).garbleAfter(20, "\"?\"");

      assertThatThrownBy(() -> maps(client).list(ListOptions.NONE))
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void fault_cut_sendsTheFullContentLength() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort())) {
      server.faults().on(request -> request.matches("list", "namespaces")).cutAfter(7);
      client.getOutputStream().write(("GET " + NAMESPACES + " HTTP/1.1\r\n\r\n").getBytes(UTF_8));

      assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
          .containsPattern("Content-Length: [0-9]{3,}\r\n\r\n.{7}$");
    }
  }

  /** No write happens, so no event can fail to be sent. */
  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void watch_cancelledByTheClient_isNoticedWithoutAnEvent(boolean tls) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      Watch<Unstructured> other = maps(client).watch(ListOptions.NONE);
      Watch<Unstructured> watch = maps(client).watch(ListOptions.NONE);
      server.awaitWatches(2);

      watch.close();
      Waiting.until("the watch has ended", () -> server.watches().size() == 1);
      other.close();
      Waiting.until("the other has ended, too", () -> server.watches().isEmpty());
    }
  }

  @Test
  void watch_ended_endsForTheClient() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        Watch<Unstructured> watch = maps(client).watch(ListOptions.NONE)) {
      server.awaitWatches(1).get(0).end();

      assertThat(watch.next()).isEmpty();
    }
  }
}
