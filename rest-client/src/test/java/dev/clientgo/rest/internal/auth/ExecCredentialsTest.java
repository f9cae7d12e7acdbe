package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.TestServer;
import dev.clientgo.rest.TestThread;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * When a credential plugin is run, and what becomes of its answer. The Go tests named are in {@code
 * plugin/pkg/client/auth/exec/exec_test.go}.
 */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class ExecCredentialsTest {

  private static final String HEAD =
      "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":";

  @TempDir private Path directory;
  private final FakeClock clock = FakeClock.create();

  /** A plugin that answers what is in a file, and counts how often it does. */
  private ExecConfig plugin() {
    return ExecConfig.builder(ExecConfig.V1, "sh")
        .args(
            List.of(
                "-c", "echo >> " + directory.resolve("runs") + "; cat " + directory + "/answer"))
        .interactiveMode(InteractiveMode.NEVER)
        .build();
  }

  private ExecCredentials credentials() {
    RestConfig config = RestConfig.builder("https://foo").build();
    return new ExecCredentials(
        ExecPlugin.of(plugin(), config, clock, RequestPolicies.standard()), clock);
  }

  private void answer(String status) throws IOException {
    Path answer = directory.resolve("answer.new");
    Files.writeString(answer, HEAD + status + "}");
    Files.move(
        answer, directory.resolve("answer"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private void token(String token) throws IOException {
    answer("{\"token\":\"" + token + "\"}");
  }

  private int runs() throws IOException {
    Path runs = directory.resolve("runs");
    return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
  }

  /** TestRoundTripper: without an expiry the answer is kept; once it is past, it is asked again. */
  @Test
  void answer_isKeptUntilItExpires() throws Exception {
    ExecCredentials credentials = credentials();
    answer(
        "{\"token\":\"one\",\"expirationTimestamp\":\""
            + clock.now().plus(Duration.ofHours(1))
            + "\"}");
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    token("two");
    clock.advance(Duration.ofHours(1));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");
    assertThat(runs()).isEqualTo(1);

    clock.advance(Duration.ofSeconds(1));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
    clock.advance(Duration.ofDays(1000));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
    assertThat(runs()).isEqualTo(2);
  }

  /** An answer that has expired already serves one request, and the next asks again. */
  @Test
  void answer_thatHasExpiredAlready_servesOneRequest() throws Exception {
    ExecCredentials credentials = credentials();
    answer("{\"token\":\"one\",\"expirationTimestamp\":\"2006-01-02T15:04:05Z\"}");

    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void refused_asksAnewUnlessThatWasDone() throws Exception {
    ExecCredentials credentials = credentials();
    token("one");
    Credential first = credentials.current();
    token("two");

    credentials.refused(first);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
    credentials.refused(first);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");

    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void certificate_thatHasExpired_isSaidToHave() throws Exception {
    HeldCertificate held =
        new HeldCertificate.Builder()
            .commonName("jane")
            .validityInterval(1_000_000_000_000L, 1_100_000_000_000L)
            .build();
    ExecCredentials credentials = credentials();
    answer(
        "{\"clientCertificateData\":\""
            + held.certificatePem().replace("\n", "\\n")
            + "\",\"clientKeyData\":\""
            + held.privateKeyPkcs8Pem().replace("\n", "\\n")
            + "\"}");
    assertThat(credentials.describe()).doesNotContain("expired");

    credentials.current();

    assertThat(credentials.describe())
        .startsWith("what is given by credential plugin ")
        .contains(": the client certificate of CN=jane from credential plugin ")
        .endsWith(" expired at 2004-11-09T11:33:20Z");
  }

  @Test
  void sameCertificate_staysTheSameObject() throws Exception {
    HeldCertificate held = new HeldCertificate.Builder().build();
    String answer =
        "{\"clientCertificateData\":\""
            + held.certificatePem().replace("\n", "\\n")
            + "\",\"clientKeyData\":\""
            + held.privateKeyPkcs8Pem().replace("\n", "\\n")
            + "\"}";
    answer(answer);
    ExecCredentials credentials = credentials();
    Credential first = credentials.current();

    credentials.refused(first);

    assertThat(credentials.current()).isEqualTo(first);
    assertThat(runs()).isEqualTo(2);
  }

  /** Many that wait for one plugin run it once, and share how it failed. */
  @Test
  void manyThreads_runItOnce() throws Exception {
    Path gate = directory.resolve("gate");
    assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor()).isZero();
    ExecConfig slow =
        plugin().toBuilder()
            .args(
                List.of(
                    "-c", "echo >> " + directory.resolve("runs") + "; cat " + gate + "; exit 3"))
            .build();
    RestConfig config = RestConfig.builder("https://foo").build();
    ExecCredentials credentials =
        new ExecCredentials(ExecPlugin.of(slow, config, clock, RequestPolicies.standard()), clock);
    List<TestThread<Credential>> threads = new ArrayList<>();
    threads.add(TestThread.start(credentials::current).awaitIn("runLocked"));
    for (int i = 0; i < 8; i++) {
      threads.add(TestThread.start(credentials::current).awaitIn("lockInterruptibly"));
    }

    Files.writeString(gate, "x");

    for (TestThread<Credential> thread : threads) {
      assertThat(thread.failure())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("credential plugin sh failed with exit code 3");
    }
    assertThat(runs()).isEqualTo(1);
    assertThatThrownBy(
            () -> {
              TestThread<Credential> later =
                  TestThread.start(credentials::current).awaitIn("runLocked");
              Files.writeString(gate, "x");
              throw later.failure();
            })
        .isInstanceOf(ConfigException.class);
    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void waiting_canBeInterrupted() throws Exception {
    ExecConfig hanging = plugin().toBuilder().args(List.of("-c", "exec sleep 600")).build();
    RestConfig config = RestConfig.builder("https://foo").build();
    ExecCredentials credentials =
        new ExecCredentials(
            ExecPlugin.of(hanging, config, clock, RequestPolicies.standard()), clock);
    TestThread<Credential> running = TestThread.start(credentials::current).awaitIn("runLocked");
    TestThread<Credential> waiting =
        TestThread.start(credentials::current).awaitIn("lockInterruptibly");

    waiting.interrupt();
    assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    running.interrupt();
    assertThat(running.failure()).isInstanceOf(InterruptedException.class);
  }

  /* --------------- Requests --------------- */

  /** A server that knows one token. */
  private static TestServer serverOf(String valid) throws IOException {
    TestServer server = TestServer.start(TestServer.Wire.HTTP_2);
    server
        .mock()
        .setDispatcher(
            new Dispatcher() {
              @Override
              public MockResponse dispatch(RecordedRequest request) {
                boolean known =
                    ("Bearer " + valid).equals(request.getHeaders().get("Authorization"));
                return TestServer.json(known ? 200 : 401, "{}");
              }
            });
    return server;
  }

  /** TestRoundTripper. Unlike there, the request that was refused is sent again. */
  @Test
  void refusedToken_isRenewedAndTheRequestSentOnceMore() throws Exception {
    token("one");
    try (TestServer server = serverOf("two");
        RESTClient client = RESTClient.create(server.config().exec(plugin()).build())) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isUnauthorized()).isTrue());
      assertThat(server.requestCount()).isEqualTo(1);
      assertThat(runs()).isEqualTo(2);

      token("two");
      client.post().absPath("/x").body(new byte[] {'1'}, "text/plain").execute();

      assertThat(server.requestCount()).isEqualTo(3);
      assertThat(runs()).isEqualTo(3);
    }
  }

  /** A body that can be read once is not sent again, but the next request has the new token. */
  @Test
  void refusedToken_withABodyThatIsGone_isRenewedForTheNextRequest() throws Exception {
    token("one");
    try (TestServer server = serverOf("two");
        RESTClient client = RESTClient.create(server.config().exec(plugin()).build())) {
      assertThatThrownBy(
              () ->
                  client
                      .post()
                      .absPath("/x")
                      .body(new ByteArrayInputStream(new byte[] {'1'}), "text/plain")
                      .execute())
          .isInstanceOf(ApiStatusException.class);
      token("two");
      client.get().absPath("/x").execute();

      assertThat(server.requestCount()).isEqualTo(2);
    }
  }

  /** TestAuthorizationHeaderPresentCancelsExecAction, and the same for the other kinds. */
  @Test
  void otherCredentials_keepThePluginFromRunning() throws Exception {
    HeldCertificate held =
        new HeldCertificate.Builder().signedBy(TestServer.AUTHORITY).commonName("me").build();
    byte[] certificate = held.certificatePem().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    byte[] key = held.privateKeyPkcs8Pem().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    try (TestServer server =
        TestServer.start(TestServer.Wire.HTTP_2).always(TestServer.json(200, "{}"))) {
      for (RestConfig config :
          List.of(
              server.config().exec(plugin()).bearerToken("t").build(),
              server.config().exec(plugin()).basicAuth("u", "p").build(),
              server
                  .config()
                  .exec(plugin())
                  .clientCertificateData(certificate)
                  .clientKeyData(key)
                  .build())) {
        try (RESTClient client = RESTClient.create(config)) {
          client.get().absPath("/x").execute();
        }
      }
      try (RESTClient client = RESTClient.create(server.config().exec(plugin()).build())) {
        client.get().absPath("/x").header("Authorization", "Bearer own").execute();
      }
    }

    assertThat(runs()).isZero();
  }

  @Test
  void policy_keepsThePluginFromRunning() throws Exception {
    token("one");
    try (TestServer server = serverOf("one");
        RESTClient client =
            RESTClient.create(
                server.config().exec(plugin()).pluginPolicy(PluginPolicy.denyAll()).build())) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("policy set to \"DenyAll\"");
    }
    assertThat(runs()).isZero();
  }

  /* --------------- Metrics --------------- */

  private static final class Seen implements RequestMetrics {
    private final List<String> events = new java.util.concurrent.CopyOnWriteArrayList<>();

    @Override
    public void pluginCalled(PluginResult result, int exitCode) {
      events.add(result + " " + exitCode);
    }

    @Override
    public void pluginChecked(boolean allowed) {
      events.add("allowed " + allowed);
    }

    @Override
    public void pluginCertificate(java.time.Instant notBefore, java.time.Instant notAfter) {
      events.add("certificate until " + notAfter.getEpochSecond());
    }
  }

  private static List<String> seen(ExecConfig.Builder exec, PluginPolicy policy) throws Exception {
    Seen seen = new Seen();
    RestConfig config =
        RestConfig.builder("https://h")
            .exec(exec.interactiveMode(ExecConfig.InteractiveMode.NEVER).build())
            .pluginPolicy(policy)
            .build();
    Credentials credentials =
        ConfiguredCredentials.of(
            config,
            FakeClock.create(),
            RequestPolicies.standard().withMetrics(seen),
            TestServer::connect);
    try {
      credentials.current();
    } catch (ConfigException e) {
      assertThat(e).hasMessageStartingWith("credential plugin ");
    }
    return seen.events;
  }

  private static ExecConfig.Builder shell(String script) {
    return ExecConfig.builder(ExecConfig.V1, "sh").args(List.of("-c", script));
  }

  /** TestCallsMetric, TestPolicyCallsMetric. */
  @Test
  void calls_areCounted() throws Exception {
    PluginPolicy all = PluginPolicy.allowAll();
    String answer =
        "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            + "\"status\":{\"token\":\"t\"}}'";

    assertThat(seen(shell(answer), all)).containsExactly("allowed true", "NO_ERROR 0");
    assertThat(seen(shell("exit 1"), all))
        .containsExactly("allowed true", "PLUGIN_EXECUTION_ERROR 1");
    assertThat(seen(shell("exit 20"), all))
        .containsExactly("allowed true", "PLUGIN_EXECUTION_ERROR 20");
    assertThat(seen(shell("echo garbage"), all))
        .containsExactly("allowed true", "CLIENT_INTERNAL_ERROR 0");
    assertThat(seen(ExecConfig.builder(ExecConfig.V1, "no-such-plugin"), all))
        .containsExactly("allowed true", "PLUGIN_NOT_FOUND_ERROR 1");
    assertThat(seen(shell(answer), PluginPolicy.denyAll())).containsExactly("allowed false");
  }

  /** TestCertificateExpirationTracker: the one who counts finds the earliest himself. */
  @Test
  void certificate_tellsWhenItEnds() throws Exception {
    okhttp3.tls.HeldCertificate held =
        new okhttp3.tls.HeldCertificate.Builder()
            .validityInterval(1_000_000_000_000L, 4_000_000_000_000L)
            .build();
    String answer =
        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            + "\"status\":{\"clientCertificateData\":\"%s\",\"clientKeyData\":\"%s\"}}";
    String json =
        answer.formatted(
            held.certificatePem().replace("\n", "\\n"),
            held.privateKeyPkcs8Pem().replace("\n", "\\n"));

    assertThat(seen(shell("cat <<'END'\n" + json + "\nEND"), PluginPolicy.allowAll()))
        .containsExactly("allowed true", "NO_ERROR 0", "certificate until 4000000000");
  }
}
