package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.CachedToken;
import dev.clientgo.rest.internal.auth.Credential;
import dev.clientgo.rest.internal.http.RequestHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a request proves its identity. The Go tests named are in {@code
 * transport/token_source_test.go} and {@code transport/round_trippers_test.go}.
 */
@Timeout(300)
final class CredentialsTest {

  @TempDir private Path directory;

  private static Headers headers(UnaryOperator<RestConfig.Builder> steps, String... own)
      throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1).enqueue(TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(steps.apply(server.config()).build())) {
      Request request = client.get().absPath("/x");
      for (int i = 0; i < own.length; i += 2) {
        request.header(own[i], own[i + 1]);
      }
      request.execute();
      return server.takeRequest().getHeaders();
    }
  }

  /** TestBearerAuthRoundTripper, TestBasicAuthRoundTripper. */
  @Test
  void tokenAndPassword_areSent() throws Exception {
    assertThat(headers(c -> c.bearerToken("test")).get("Authorization")).isEqualTo("Bearer test");
    assertThat(headers(c -> c.basicAuth("user", "pass")).get("Authorization"))
        .isEqualTo("Basic dXNlcjpwYXNz");
    assertThat(headers(c -> c.basicAuth("user", "")).get("Authorization"))
        .isEqualTo("Basic dXNlcjo=");
  }

  /** Both have a case in which the request has the header already. */
  @Test
  void ownHeader_winsOverCredentials() throws Exception {
    assertThat(
            headers(c -> c.bearerToken("test"), "Authorization", "Bearer mine")
                .values("Authorization"))
        .containsExactly("Bearer mine");
    // TestTokenSourceTransportRoundTrip: nor is the token looked for.
    assertThat(
            headers(
                    c -> c.bearerTokenFile(directory.resolve("missing")),
                    "Authorization",
                    "Bearer mine")
                .values("Authorization"))
        .containsExactly("Bearer mine");
  }

  /** Go's {@code http.Client} takes who stands in a URL before any transport is asked. */
  @Test
  void userOfTheAddress_goesFirst() throws Exception {
    RestConfig config =
        RestConfig.builder("http://us%40er:pa%3Ass@127.0.0.1:1")
            .bearerToken("test")
            .bearerTokenFile(directory.resolve("missing"))
            .exec(ExecConfig.builder(ExecConfig.V1BETA1, "missing").build())
            .build();

    assertThat(
            headers(c -> config.toBuilder().server(c.build().server().toString()))
                .get("Authorization"))
        .isEqualTo("Basic dXNAZXI6cGE6c3M=");
    assertThat(config.server()).hasToString("http://127.0.0.1:1/");
    assertThat(config).asString().doesNotContain("pa%3Ass").doesNotContain("pa:ss");
    assertThat(config.anonymous().username()).isNull();
    assertThat(
            headers(c -> c.server(c.build().server().toString().replace("//", "//me@")))
                .get("Authorization"))
        .isEqualTo("Basic bWU6");
  }

  /** Nothing that proves an identity crosses a network as plain text. */
  @Test
  void credentials_forAnotherMachineWithoutTls_areRefused() {
    List<UnaryOperator<RestConfig.Builder>> credentials =
        List.of(
            c -> c.bearerToken("SECRET"),
            c -> c.bearerTokenFile(directory.resolve("token")),
            c -> c.basicAuth("me", "SECRET"),
            c -> c.exec(ExecConfig.builder(ExecConfig.V1BETA1, "plugin").build()));
    for (UnaryOperator<RestConfig.Builder> credential : credentials) {
      for (String host :
          List.of("api.example", "10.0.0.1:8080", "127.0.0.1.example", "[fe80::1]")) {
        RestConfig config = credential.apply(RestConfig.builder("http://" + host)).build();
        assertThatThrownBy(() -> RESTClient.create(config).close())
            .isInstanceOf(ConfigException.class)
            .hasMessageStartingWith("credentials are configured for http://" + host)
            .hasMessageContaining("plain text: use https")
            .hasMessageNotContaining("SECRET");
        RESTClient.create(config.anonymous()).close();
      }
      for (String host :
          List.of("http://localhost", "http://127.0.0.2:1", "http://[::1]", "https://h")) {
        RESTClient.create(credential.apply(RestConfig.builder(host)).build()).close();
      }
    }
  }

  /** A proxy gets what is sent to this machine as plain text, and is another machine. */
  @Test
  void credentials_forThisMachineThroughAProxy_areRefused() {
    RestConfig config =
        RestConfig.builder("http://127.0.0.1:1")
            .proxy(URI.create("http://proxy.example:3128"))
            .bearerToken("SECRET")
            .build();

    assertThatThrownBy(() -> RESTClient.create(config).close())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("plain text: use https");
  }

  /* --------------- Impersonation --------------- */

  /** TestImpersonationRoundTripper. */
  @Test
  void impersonation_isSent() throws Exception {
    ImpersonationConfig config =
        ImpersonationConfig.builder("user")
            .uid("u-1")
            .group("group1")
            .group("group2")
            .extra("first", "A")
            .extra("first", "a")
            .extra("second", "B")
            .extra("example.com/thing one", "x")
            .build();

    Headers headers = headers(c -> c.impersonate(config));

    assertThat(headers.values("Impersonate-User")).containsExactly("user");
    assertThat(headers.values("Impersonate-Uid")).containsExactly("u-1");
    assertThat(headers.values("Impersonate-Group")).containsExactly("group1", "group2");
    assertThat(headers.values("Impersonate-Extra-First")).containsExactly("A", "a");
    assertThat(headers.values("Impersonate-Extra-Second")).containsExactly("B");
    assertThat(headers.values("Impersonate-Extra-example.com%2Fthing%20one")).containsExactly("x");
  }

  /** TestImpersonationRoundTripper: what is not configured is not sent. */
  @Test
  void impersonation_ofAUidAlone_hasNoMoreHeaders() throws Exception {
    ImpersonationConfig config = ImpersonationConfig.builder("user").uid("uid-a").build();

    assertThat(headers(c -> c.impersonate(config)).names())
        .filteredOn(name -> name.startsWith("Impersonate-"))
        .containsExactlyInAnyOrder("Impersonate-User", "Impersonate-Uid");
  }

  /** TestHeaderEscapeRoundTrip. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alphabetical",
        "alph4num3r1c",
        "percent%20encoded",
        "almost%zzpercent%xxencoded",
        "example.com/percent%20encoded",
        "example.com/\u16d2\u16a5\u16cf\u16d6\u16a5\u16a2\u3068\u30ed\u30d3\u30f3",
        "abc123!#$+.-_*\\^`~|'",
        "@=:",
      })
  void extraKey_unescaped_isItself(String key) {
    String escaped = RequestHeaders.escape(key);

    assertThat(escaped).matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    assertThat(URLDecoder.decode(escaped.replace("+", "%2B"), UTF_8)).isEqualTo(key);
  }

  @Test
  void impersonation_ofTheRequestItself_winsAltogether() throws Exception {
    ImpersonationConfig config = ImpersonationConfig.builder("user").group("admins").build();

    Headers headers = headers(c -> c.impersonate(config), "Impersonate-User", "other");

    assertThat(headers.values("Impersonate-User")).containsExactly("other");
    assertThat(headers.values("Impersonate-Group")).isEmpty();
  }

  /** TestHeaderEscapeRoundTrip. */
  @ParameterizedTest
  @CsvSource({
    "valid-key, valid-key",
    "with spaces, with%20spaces",
    "example.com/escaped%e1, example.com%2Fescaped%25e1",
    "á, %C3%A1",
    "a%20b, a%2520b"
  })
  void extraKey_isEscaped(String key, String expected) {
    assertThat(RequestHeaders.escape(key)).isEqualTo(expected);
  }

  /* --------------- Token file --------------- */

  private Path token(String text) throws IOException {
    return Files.writeString(directory.resolve("token"), text);
  }

  /** TestCachingTokenSource. */
  @Test
  void tokenFile_isReadAgainAfterAlmostAMinute() throws Exception {
    FakeClock clock = FakeClock.create();
    CachedToken credentials = CachedToken.ofFile(token("one\n"), null, clock);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    token("two");
    clock.advance(Duration.ofSeconds(49));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    clock.advance(Duration.ofSeconds(1));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
  }

  @Test
  void tokenFile_thatCannotBeRead_leavesTheLastToken() throws Exception {
    FakeClock clock = FakeClock.create();
    Path file = token("one");
    CachedToken credentials = CachedToken.ofFile(file, null, clock);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    clock.advance(Duration.ofMinutes(1));
    Files.delete(file);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");
    token("  \n ");
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    token("two");
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
  }

  @Test
  void tokenFile_thatWasNeverRead_isAnErrorUnlessAnotherTokenIsConfigured() throws Exception {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> CachedToken.ofFile(missing, null, FakeClock.create()).current())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot read the bearer token file " + missing);
    assertThat(CachedToken.ofFile(missing, "fixed", FakeClock.create()).current().authorization())
        .isEqualTo("Bearer fixed");
    assertThat(
            CachedToken.ofFile(token("file"), "fixed", FakeClock.create())
                .current()
                .authorization())
        .isEqualTo("Bearer file");
  }

  @Test
  void tokenFile_withTwoLines_isRefusedUnseen() throws Exception {
    CachedToken credentials =
        CachedToken.ofFile(token("SECRET\nEvil: x"), null, FakeClock.create());

    assertThatThrownBy(credentials::current)
        .isInstanceOf(ConfigException.class)
        .hasMessageNotContaining("SECRET");
  }

  /** TestTokenSourceTransportRoundTrip: only the token that was refused is dropped. */
  @Test
  void refused_dropsThatTokenAlone() throws Exception {
    CachedToken credentials = CachedToken.ofFile(token("one"), null, FakeClock.create());
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");
    token("two");

    credentials.refused(Credential.bearer("older"));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer one");

    credentials.refused(Credential.bearer("one"));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer two");
  }

  /* --------------- 401 --------------- */

  /** A server that knows one token. */
  private static TestServer serverOf(AtomicReference<String> token) throws IOException {
    TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
    server
        .mock()
        .setDispatcher(
            new Dispatcher() {
              @Override
              public MockResponse dispatch(RecordedRequest request) {
                boolean known =
                    ("Bearer " + token.get()).equals(request.getHeaders().get("Authorization"));
                return TestServer.json(known ? 200 : 401, "{}");
              }
            });
    return server;
  }

  @Test
  void rotatedToken_isReadAndTheRequestSentOnceMore() throws Exception {
    AtomicReference<String> valid = new AtomicReference<>("one");
    try (TestServer server = serverOf(valid);
        RESTClient client =
            RESTClient.create(server.config().bearerTokenFile(token("one")).build())) {
      client.get().absPath("/x").execute();

      valid.set("two");
      token("two");
      client.post().absPath("/x").body(new byte[] {'1'}, "text/plain").execute();

      assertThat(server.requestCount()).isEqualTo(3);
    }
  }

  @Test
  void refusedToken_withoutANewerOne_isReportedAtOnce() throws Exception {
    try (TestServer server = serverOf(new AtomicReference<>("other"));
        RESTClient client =
            RESTClient.create(server.config().bearerTokenFile(token("one")).build())) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isUnauthorized()).isTrue());
      assertThat(server.requestCount()).isEqualTo(1);
    }
  }

  @Test
  void rotatedToken_withABodyThatIsGone_isReadForTheNextRequest() throws Exception {
    AtomicReference<String> valid = new AtomicReference<>("one");
    try (TestServer server = serverOf(valid);
        RESTClient client =
            RESTClient.create(server.config().bearerTokenFile(token("one")).build())) {
      client.get().absPath("/x").execute();
      valid.set("two");
      token("two");

      assertThatThrownBy(
              () ->
                  client
                      .post()
                      .absPath("/x")
                      .body(new ByteArrayInputStream(new byte[] {'1'}), "text/plain")
                      .execute())
          .isInstanceOf(ApiStatusException.class);
      client.get().absPath("/x").execute();

      assertThat(server.requestCount()).isEqualTo(3);
    }
  }
}
