package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.CachedToken;
import dev.clientgo.rest.internal.auth.Credential;
import dev.clientgo.rest.internal.auth.ExecCredential;
import dev.clientgo.rest.internal.pem.Pem;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No secret gets into a message, a text form or a log, whatever goes wrong. */
@Timeout(300)
final class SecretsTest {

  private static final String SECRET = "hunter2";
  private static final String SECRET_BASE64 =
      Base64.getEncoder().encodeToString(("me:" + SECRET).getBytes(UTF_8));

  @TempDir private Path directory;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Logger root = Logger.getLogger("");
  private final Logger library = Logger.getLogger("dev.clientgo");
  private final Handler recorder =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          log.add(new SimpleFormatter().format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    recorder.setLevel(Level.ALL);
    root.addHandler(recorder);
    library.setLevel(Level.ALL);
  }

  @AfterEach
  void stopListening() {
    root.removeHandler(recorder);
    library.setLevel(null);
  }

  private void assertClean(Object... texts) {
    for (Object text : texts) {
      String all = text instanceof Throwable e ? stackTrace(e) : String.valueOf(text);
      assertThat(all).doesNotContain(SECRET, SECRET_BASE64);
    }
    assertThat(String.join("\n", log)).doesNotContain(SECRET, SECRET_BASE64);
  }

  private static String stackTrace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static Throwable failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return org.assertj.core.api.Assertions.catchThrowable(call);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 401, 403, 500})
  void request_whateverTheAnswer_showsNoToken(int code) throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_2).always(TestServer.json(code, "{}"));
        RESTClient client = RESTClient.create(server.config().bearerToken(SECRET).build())) {
      Request request = client.post().absPath("/x").body(SECRET.getBytes(UTF_8), "text/plain");

      Throwable failure = failure(request::execute);

      assertClean(failure, client, client.config(), request, client.credentials());
      assertThat(log).anyMatch(line -> line.contains("status=" + code));
    }
  }

  @Test
  void request_thatIsLost_showsNoPassword() throws Exception {
    for (RawServer.Misbehaviour misbehaviour : List.of(RawServer.CLOSE, RawServer.RESET)) {
      try (RawServer server = RawServer.start(misbehaviour);
          RESTClient client =
              RESTClient.create(RestConfig.builder(server.url()).basicAuth("me", SECRET).build())) {
        assertClean(
            failure(() -> client.get().absPath("/x").maxRetries(0).execute()), client.config());
      }
    }
  }

  @Test
  void request_toNobody_showsNoPassword() throws Exception {
    try (RefusingPort port = new RefusingPort();
        RESTClient client =
            RESTClient.create(
                RestConfig.builder("https://127.0.0.1:" + port.number())
                    .basicAuth("me", SECRET)
                    .build())) {
      assertClean(failure(() -> client.get().absPath("/x").execute()));
    }
  }

  @Test
  void tokenFile_thatChangesForTheWorse_showsNoToken() throws Exception {
    RecordingClock clock = new RecordingClock();
    Path file = Files.writeString(directory.resolve("token"), SECRET);
    CachedToken credentials = CachedToken.ofFile(file, null, clock);
    credentials.current();
    clock.advance(java.time.Duration.ofMinutes(2));
    Files.writeString(file, SECRET + "\n" + SECRET);

    credentials.current();

    assertClean(credentials);
    assertThat(log).anyMatch(line -> line.contains("using the last token"));
    assertClean(failure(() -> CachedToken.ofFile(file, null, clock).current()));
  }

  /** Neither what it is given nor what it answers. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo hunter2",
        "echo '{\"kind\":\"ExecCredential\",\"token\":\"hunter2\"'",
        "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"hunter2hunter2\"'",
        "echo hunter2; exit 1"
      })
  void plugin_thatFails_isNotQuoted(String script) throws Exception {
    ExecConfig exec =
        ExecConfig.builder(ExecConfig.V1, "sh")
            .args(List.of("-c", script, SECRET))
            .env("PASSWORD", SECRET)
            .interactiveMode(ExecConfig.InteractiveMode.NEVER)
            .build();
    RestConfig config = RestConfig.builder("https://127.0.0.1:1").exec(exec).build();
    try (RESTClient client = RESTClient.create(config)) {
      assertClean(
          failure(() -> client.get().absPath("/x").execute()),
          exec,
          config,
          client.credentials(),
          Credential.bearer(SECRET),
          new ExecCredential(SECRET, null, null, null));
    }
  }

  @Test
  void key_thatCannotBeRead_isNotShown() {
    byte[] key =
        ("-----BEGIN PRIVATE KEY-----\n" + SECRET + "\n-----END PRIVATE KEY-----").getBytes(UTF_8);
    byte[] certificate = new HeldCertificate.Builder().build().certificatePem().getBytes(UTF_8);
    RestConfig config =
        RestConfig.builder("https://h")
            .clientCertificateData(certificate)
            .clientKeyData(key)
            .clientKeyPassphrase(SECRET)
            .build();

    assertClean(config, failure(() -> RESTClient.create(config)), Pem.parse(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "users: [{name: u, user: {token: hunter2}}",
        "users: [{name: u, user: {token: hunter2, token: hunter2}}]",
        "users: [{name: u, user: [hunter2]}]",
        "users: [{name: u, user: {token: {hunter2: hunter2}}}]",
        "users: hunter2",
        "hunter2",
        "users:\n- name: u\n  user:\n    token: 'hunter2\n    x: y",
        "users: [{name: u, user: {token: hunter2, password: hunter2, username: me}}]",
        "clusters: [{name: c, cluster: {server: 'https://me:hunter2@h:x'}}]\n"
            + "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x",
        "clusters: [{name: c, cluster: {server: 'https://h', proxy-url: 'ftp://me:hunter2@h'}}]\n"
            + "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x",
      })
  void kubeconfig_thatIsWrong_isNotQuoted(String text) throws Exception {
    Path file = Files.writeString(directory.resolve("config"), text);

    assertClean(
        failure(() -> KubeConfigLoader.builder().file(file).build().load()),
        failure(() -> KubeConfig.parse(text).users().get("u").token()));
  }

  /* --------------- Each way to prove who we are, with everything logged --------------- */

  private static Stream<Arguments> credentials() {
    String plugin =
        "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            + "\"status\":{\"token\":\"hunter2\"}}'";
    ExecConfig exec =
        ExecConfig.builder(ExecConfig.V1, "sh")
            .args(List.of("-c", plugin))
            .env("PASSWORD", SECRET)
            .interactiveMode(ExecConfig.InteractiveMode.NEVER)
            .build();
    String claims = Base64.getUrlEncoder().encodeToString("{\"exp\": 99999999999}".getBytes(UTF_8));
    OidcConfig oidc =
        OidcConfig.of(
            Map.of(
                "idp-issuer-url",
                "https://127.0.0.1:1",
                "client-id",
                "c",
                "client-secret",
                SECRET,
                "refresh-token",
                SECRET,
                "id-token",
                "e30." + claims + "." + SECRET),
            "a test",
            unused -> {});
    return Stream.of(
        with("token", config -> config.bearerToken(SECRET)),
        with("password", config -> config.basicAuth("me", SECRET)),
        with("plugin", config -> config.exec(exec)),
        with("oidc", config -> config.oidc(oidc)),
        with(
            "impersonation",
            config ->
                config
                    .bearerToken(SECRET)
                    .impersonate(
                        ImpersonationConfig.builder("jane").extra("scopes", "x").build())));
  }

  private static Arguments with(String name, UnaryOperator<RestConfig.Builder> steps) {
    return Arguments.argumentSet(name, steps);
  }

  @ParameterizedTest
  @MethodSource("credentials")
  @DisabledOnOs(OS.WINDOWS)
  void credential_isSentAndNotShown(UnaryOperator<RestConfig.Builder> steps) throws Exception {
    try (TestServer server =
        TestServer.start(TestServer.Wire.HTTP_2)
            .always(TestServer.json(401, "{\"token\": \"hunter2\"}"))) {
      RestConfig config = steps.apply(server.config()).build();
      try (RESTClient client = RESTClient.builder(config).logBodies(10_000).build()) {
        Request request =
            client.post().absPath("/x").body("{\"password\":\"hunter2\"}".getBytes(UTF_8), "a/b");

        Throwable failure = failure(request::execute);

        assertThat(failure).hasMessageContaining("the server does not accept");
        assertClean(
            failure,
            client,
            config,
            config.impersonate(),
            request,
            client.credentials(),
            client.credentials().describe(),
            failure(() -> client.credentials().current()));
        String sent = server.takeRequest().getHeaders().get("Authorization");
        assertThat(sent)
            .satisfiesAnyOf(
                s -> assertThat(s).contains(SECRET), s -> assertThat(s).contains(SECRET_BASE64));
        assertThat(log).anyMatch(line -> line.contains("<masked>"));
      }
    }
  }
}
