package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import dev.clientgo.controller.internal.http.ReviewedAccess;
import dev.clientgo.controller.webhook.ServingCertificate;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may read the metrics address, over TLS. */
@Timeout(120)
final class MetricsAccessTest {

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** In the days in which the certificates are valid. */
  private final FakeClock clock = FakeClock.at(Clock.system().now());

  private final ReviewingServer server = new ReviewingServer();
  private final RESTClient client = server.client();

  @TempDir private Path certificates;

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  private ManagerBuilder builder() {
    return Manager.builder(client).clock(clock).http(ANY).metricsBindAddress(ANY);
  }

  private Manager started() {
    CERTIFICATE.writeTo(certificates);
    Manager manager = builder().metricsCertificates(certificates).authorizeMetrics().build();
    manager.start();
    return manager;
  }

  private static HttpClient http(String... authorities) throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    PemSource trusted = new PemSource.Data(String.join("", authorities).getBytes(US_ASCII));
    tls.init(null, new TrustManager[] {TrustedAuthorities.read(trusted)}, null);
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private static HttpRequest request(Manager manager, String path, String token) {
    int port = manager.metricsAddress().orElseThrow().getPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private static HttpResponse<String> get(Manager manager, String path, String token)
      throws Exception {
    return http(CERTIFICATE.caBundle())
        .send(request(manager, path, token), HttpResponse.BodyHandlers.ofString());
  }

  private static int code(Manager manager, String path, String token) throws Exception {
    return get(manager, path, token).statusCode();
  }

  private static int probe(Manager manager) throws Exception {
    int port = manager.httpAddress().orElseThrow().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/healthz");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void pages_areForUsersThatTheServerAdmits() throws Exception {
    try (Manager manager = started()) {
      assertThat(code(manager, "/metrics", "")).isEqualTo(401);
      assertThat(server.tokens).isEmpty();
      assertThat(code(manager, "/metrics", "eve")).isEqualTo(401);
      assertThat(code(manager, "/metrics", "bob")).isEqualTo(403);
      assertThat(get(manager, "/metrics", "bob").body())
          .isEqualTo("Forbidden: bob may not read this page\n");
      assertThat(code(manager, "/readyz", "bob")).isEqualTo(403);
      assertThat(get(manager, "/readyz", "ada").body()).isEqualTo("[+]caches ok\nok\n");
      assertThat(code(manager, "/debug/reconciles", "ada")).isEqualTo(403);
      assertThat(code(manager, "/nothing", "eve")).isEqualTo(401);
      assertThat(code(manager, "/made-up", "ada")).isEqualTo(403);
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(get(manager, "/metrics", "ada").body()).contains("rest_client_requests_total");
      assertThat(server.tokens).containsExactly("eve", "bob", "ada");
      assertThat(server.paths).containsExactly("get /metrics", "get /metrics", "get /");
      assertThat(probe(manager)).isEqualTo(200);
    }
  }

  @Test
  void answers_areKeptForATime() throws Exception {
    try (Manager manager = started()) {
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(code(manager, "/metrics", "eve")).isEqualTo(401);
      clock.advance(Duration.ofSeconds(9));
      assertThat(code(manager, "/metrics", "eve")).isEqualTo(401);
      assertThat(server.tokens).containsExactly("ada", "eve");
      clock.advance(Duration.ofSeconds(1));
      assertThat(code(manager, "/metrics", "eve")).isEqualTo(401);
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(server.tokens).containsExactly("ada", "eve", "eve");
      clock.advance(Duration.ofSeconds(50));
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(server.tokens).containsExactly("ada", "eve", "eve", "ada");
      assertThat(server.paths).hasSize(1);
      clock.advance(Duration.ofMinutes(4));
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(server.paths).hasSize(2);
    }
  }

  @Test
  void manyTokens_leaveTheValidOnesKnown_andAreForgotten() throws Exception {
    ReviewedAccess access = new ReviewedAccess(client, clock);
    assertThat(access.refusal("Bearer ada", "GET", "/metrics")).isNull();
    for (int i = 0; i <= 1000; i++) {
      assertThat(access.refusal("Bearer eve" + i, "GET", "/metrics").code()).isEqualTo(401);
    }
    assertThat(access.refusal("bearer  ada", "GET", "/metrics")).isNull();
    access.refusal("Bearer eve1000", "GET", "/metrics");
    assertThat(server.tokens).hasSize(1002);
    access.refusal("Bearer eve0", "GET", "/metrics");
    assertThat(server.tokens).as("the first was forgotten").hasSize(1003);
    for (String none : List.of("Basic YTpi", "Bearer ", "Bearer", "Bearer " + "x".repeat(20_000))) {
      assertThat(access.refusal(none, "GET", "/metrics").code()).as(none).isEqualTo(401);
    }
    assertThat(server.tokens).hasSize(1003);
  }

  @Test
  void slowReviews_endInTime_andDelayNothingElse() throws Exception {
    try (CapturedLog log = CapturedLog.of(ReviewedAccess.class);
        Manager manager = started()) {
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      hang();
      HttpClient http = http(CERTIFICATE.caBundle());
      List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(
            http.sendAsync(
                request(manager, "/metrics", "eve" + i), HttpResponse.BodyHandlers.ofString()));
      }
      server.arrived.acquire(8);

      assertThat(probe(manager)).isEqualTo(200);
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      clock.advance(Duration.ofSeconds(10));
      for (CompletableFuture<HttpResponse<String>> each : waiting) {
        assertThat(each.get().statusCode()).isEqualTo(500);
      }
      assertThat(log.texts(Level.SEVERE)).isNotEmpty();
    }
  }

  private void hang() {
    server.arrived.drainPermits();
    server.hangs = true;
  }

  @Test
  void reviewsOfUnknownTokens_areFewAtATime_andDelayNoOthers() throws Exception {
    ReviewedAccess access = new ReviewedAccess(client, clock);
    assertThat(access.refusal("Bearer ada", "GET", "/metrics")).isNull();
    clock.advance(Duration.ofMinutes(10));
    hang();
    List<CompletableFuture<Integer>> codes = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8 + 64; i++) {
      String token = "Bearer eve" + i;
      CompletableFuture<Integer> code = new CompletableFuture<>();
      codes.add(code);
      threads.add(new Thread(() -> code.complete(access.refusal(token, "GET", "/metrics").code())));
      if (i == 8) {
        server.arrived.acquire(8);
      }
      threads.get(i).start();
    }

    for (Thread each : threads) { // The first ones wait in the server.
      Eventually.await("a wait for a permit", () -> waitsForAPermit(each));
    }
    assertThat(server.arrived.availablePermits()).isZero();
    try (CapturedLog log = CapturedLog.of(ReviewedAccess.class)) {
      server.hangs = false;
      assertThat(inTime(access, "Bearer ada")).as("a token that was valid").isNull();
      assertThat(inTime(access, "Bearer more").code()).as("one too many").isEqualTo(500);
      Collections.reverse(threads); // Those that have permits last: nobody gets theirs.
      threads.forEach(Thread::interrupt);
      for (CompletableFuture<Integer> code : codes) {
        assertThat(code.get()).isEqualTo(500);
      }
      assertThat(log.texts(Level.SEVERE)).isNotEmpty();
    }
  }

  /** It may also wait for a lock, for a moment. */
  private static boolean waitsForAPermit(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(Semaphore.class.getName()));
  }

  private static @Nullable Page inTime(ReviewedAccess access, String token) throws Exception {
    return CompletableFuture.supplyAsync(() -> access.refusal(token, "GET", "/metrics"))
        .get(30, TimeUnit.SECONDS);
  }

  @Test
  void interrupt_duringAReview_isLeftToTheCaller() {
    ReviewedAccess access = new ReviewedAccess(client, clock);
    Thread.currentThread().interrupt();

    assertThat(access.refusal("Bearer ada", "GET", "/metrics").code()).isEqualTo(500);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void refusedReviews_areFailuresThatNameThePermission_withoutTheToken() throws Exception {
    try (CapturedLog log = CapturedLog.of(ReviewedAccess.class, Level.ALL);
        Manager manager = started()) {
      server.code = 403;

      HttpResponse<String> response = get(manager, "/metrics", "ada");

      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).isEqualTo("access could not be reviewed, see the log\n");
      assertThat(log.contains("verb create on tokenreviews and subjectaccessreviews")).isTrue();
      assertThat(String.join("\n", log.traces())).contains("(Forbidden)").doesNotContain("ada");
      server.code = 201;
      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
    }
  }

  @Test
  void certificate_staysWhileItsFilesAreMissing_andIsReplaced(@TempDir Path directory)
      throws Exception {
    ServingCertificate second = ServingCertificate.selfSigned();
    CERTIFICATE.writeTo(directory);
    try (CapturedLog log = CapturedLog.of(CertificatePoller.class);
        Manager manager = builder().metricsCertificates(directory).build()) {
      manager.start();
      assertThat(code(manager, "/metrics", "")).isEqualTo(200);

      Files.delete(directory.resolve("tls.crt"));
      Files.delete(directory.resolve("tls.key"));
      look();
      assertThat(code(manager, "/metrics", "")).isEqualTo(200);
      assertThat(log.contains("which keeps the one it has")).isTrue();
      second.writeTo(directory);
      look();

      assertThat(
              http(second.caBundle())
                  .send(request(manager, "/metrics", ""), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
      assertThatThrownBy(() -> code(manager, "/metrics", "")).isInstanceOf(IOException.class);
    }
  }

  /** Lets the server look at the files once. */
  private void look() throws InterruptedException {
    clock.awaitWaiterWithin(Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(10));
    clock.awaitWaiterWithin(Duration.ofSeconds(10));
  }

  /** No time passes: only the room that newer requests need ends the connections. */
  @Test
  void page_besideManyHalfHandshakes_isServed() throws Exception {
    List<Socket> held = new ArrayList<>();
    try (Manager manager = started()) {
      InetSocketAddress address = manager.metricsAddress().orElseThrow();
      for (int i = 0; i < 250; i++) {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        held.add(socket);
        socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1}); // A handshake begins.
      }

      assertThat(code(manager, "/metrics", "ada")).isEqualTo(200);
      assertThat(probe(manager)).isEqualTo(200);
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  @Test
  void start_withoutTheFiles_orWithAPortInUse_bindsNothing(@TempDir Path directory)
      throws Exception {
    try (Manager first = started();
        Manager noFiles = builder().metricsCertificates(directory).build();
        Manager noPort =
            builder()
                .metricsBindAddress(first.metricsAddress().orElseThrow())
                .metricsCertificates(certificates)
                .build()) {
      assertThatThrownBy(noFiles::start)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("tls.crt");
      assertThatThrownBy(noPort::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot listen at")
          .hasMessageContaining("choose another port");

      for (Manager failed : List.of(noFiles, noPort)) {
        InetSocketAddress probes = failed.httpAddress().orElseThrow();
        assertThatThrownBy(() -> new Socket(probes.getAddress(), probes.getPort()).close())
            .isInstanceOf(ConnectException.class);
      }
      assertThat(code(first, "/metrics", "ada")).isEqualTo(200);
    }
  }

  @Test
  void tokens_areNotTakenWithoutTls() {
    assertThatThrownBy(() -> builder().authorizeMetrics().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("plain text");
  }
}
