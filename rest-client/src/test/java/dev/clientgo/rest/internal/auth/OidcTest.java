package dev.clientgo.rest.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.TestServer;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.AuthInfo;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tokens of an OpenID Connect provider. The Go tests named are in {@code
 * plugin/pkg/client/auth/oidc/oidc_test.go}.
 */
@Timeout(300)
final class OidcTest {

  @TempDir private Path directory;

  private TestServer idp;
  private final FakeClock clock = FakeClock.create();
  private final List<Map<String, String>> written = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    idp = TestServer.start(TestServer.Wire.HTTP_1_1_TLS);
  }

  @AfterEach
  void stop() {
    idp.close();
  }

  private static String token(Instant expiry) {
    String claims = "{\"sub\":\"me\",\"exp\":" + expiry.getEpochSecond() + "}";
    return "e30."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8))
        + ".c2ln";
  }

  private OidcCredentials credentials(String... fields) {
    Map<String, String> values = new HashMap<>();
    values.put("idp-issuer-url", idp.url() + "/auth/");
    values.put("client-id", "id");
    values.put(
        "idp-certificate-authority-data",
        Base64.getEncoder().encodeToString(TestServer.AUTHORITY.certificatePem().getBytes(UTF_8)));
    for (int i = 0; i < fields.length; i += 2) {
      values.put(fields[i], fields[i + 1]);
    }
    return new OidcCredentials(
        OidcConfig.of(values, "user \"u\"", written::add),
        new OidcProvider(TestServer::connect),
        clock);
  }

  private MockResponse discovery() {
    return TestServer.json(200, "{\"token_endpoint\":\"" + idp.url() + "/token?x=1\"}");
  }

  private static MockResponse tokens(String id) {
    return TestServer.json(200, "{\"id_token\":\"" + id + "\",\"refresh_token\":\"r2\"}");
  }

  /** TestExpired. */
  @Test
  void token_isUsedUntilTenSecondsBeforeItsEnd() throws Exception {
    String token = token(clock.now().plusSeconds(60));
    String next = token(clock.now().plusSeconds(3600));
    OidcCredentials credentials =
        credentials("id-token", token, "refresh-token", "r1", "client-secret", "s");
    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + token);
    clock.advance(Duration.ofSeconds(49));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + token);
    assertThat(idp.requestCount()).isZero();

    idp.enqueue(discovery(), tokens(next));
    clock.advance(Duration.ofSeconds(1));

    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + next);
    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + next);
    assertThat(idp.takeRequest().getTarget()).isEqualTo("/auth/.well-known/openid-configuration");
    RecordedRequest request = idp.takeRequest();
    assertThat(request.getTarget()).isEqualTo("/token?x=1");
    assertThat(request.getMethod()).isEqualTo("POST");
    assertThat(request.getHeaders().get("Authorization")).isEqualTo("Basic aWQ6cw==");
    assertThat(request.getBody().utf8()).isEqualTo("grant_type=refresh_token&refresh_token=r1");
    assertThat(written)
        .singleElement()
        .satisfies(
            fields -> {
              assertThat(fields)
                  .containsEntry("id-token", next)
                  .containsEntry("refresh-token", "r2");
              assertThat(fields).containsEntry("client-secret", "s");
            });
  }

  /** Some providers take the client in the body alone. */
  @Test
  void refresh_thatIsRefused_isTriedInTheBody() throws Exception {
    String next = token(clock.now().plusSeconds(3600));
    idp.enqueue(discovery(), TestServer.json(401, "{}"), tokens(next));

    assertThat(credentials("refresh-token", "r1", "client-secret", "s").current().authorization())
        .isEqualTo("Bearer " + next);

    idp.takeRequest();
    idp.takeRequest();
    RecordedRequest request = idp.takeRequest();
    assertThat(request.getHeaders().get("Authorization")).isNull();
    assertThat(request.getBody().utf8())
        .isEqualTo("client_id=id&client_secret=s&grant_type=refresh_token&refresh_token=r1");
  }

  @Test
  void refused_refreshesIfThatIsPossible() throws Exception {
    String token = token(clock.now().plusSeconds(3600));
    String next = token(clock.now().plusSeconds(7200));
    OidcCredentials fixed = credentials("id-token", token);
    fixed.refused(fixed.current());
    assertThat(fixed.current().authorization()).isEqualTo("Bearer " + token);

    OidcCredentials credentials = credentials("id-token", token, "refresh-token", "r1");
    idp.enqueue(discovery(), tokens(next));
    credentials.refused(Credential.bearer("another"));
    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + token);
    credentials.refused(credentials.current());
    assertThat(credentials.current().authorization()).isEqualTo("Bearer " + next);
  }

  @Test
  void refresh_thatFails_saysWhyAndWhere() {
    String who = "auth-provider oidc (of user \"u\") ";
    assertThatThrownBy(() -> credentials().current())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            who + "has an id-token that is missing or expired, and no refresh-token: log in");
    assertThatThrownBy(() -> credentials("id-token", "no.jwt").current())
        .hasMessageContaining("missing or expired");
    idp.enqueue(TestServer.json(404, "{}"));
    assertThatThrownBy(() -> credentials("refresh-token", "SECRET").current())
        .hasMessageStartingWith(who + "cannot be refreshed: ")
        .hasMessageNotContaining("SECRET");
    idp.enqueue(TestServer.json(200, "{}"));
    assertThatThrownBy(() -> credentials("refresh-token", "r1").current())
        .hasMessage(who + "cannot be refreshed: " + idp.url() + "/auth/ names no token_endpoint");
    idp.enqueue(discovery(), TestServer.json(200, "{\"access_token\":\"SECRET\"}"));
    assertThatThrownBy(() -> credentials("refresh-token", "r1").current())
        .hasMessage(
            who + "cannot be refreshed: " + idp.url() + "/token?x=1 responded without an id_token");
    idp.enqueue(TestServer.json(200, "<html>SECRET"));
    assertThatThrownBy(() -> credentials("refresh-token", "r1").current())
        .hasMessage(who + "cannot be refreshed: the response of the provider is not a JSON object");
  }

  /** From a kubeconfig and back: the file has the new tokens, and is otherwise as it was. */
  @Test
  void kubeconfig_getsTheNewTokens() throws Exception {
    Path ca = Files.writeString(directory.resolve("ca.crt"), TestServer.AUTHORITY.certificatePem());
    String next = token(Clock.system().now().plusSeconds(36000));
    idp.enqueue(discovery(), tokens(next), TestServer.json(200, "{}"));
    Path file =
        Files.writeString(
            directory.resolve("config"),
            """
            current-context: x
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: ca.crt}}]
            users:
            - name: u
              user:
                unknown: kept
                auth-provider:
                  name: oidc
                  config:
                    idp-issuer-url: "%s/auth"
                    client-id: id
                    idp-certificate-authority: %s
                    refresh-token: r1
            contexts: [{name: x, context: {cluster: c, user: u}}]
            """
                .formatted(idp.url(), idp.url(), ca));
    RestConfig config = KubeConfigLoader.builder().file(file).build().load();
    try (RESTClient client = RESTClient.create(config)) {
      client.get().absPath("/x").execute();
    }

    idp.takeRequest();
    idp.takeRequest();
    assertThat(idp.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer " + next);
    AuthInfo user = KubeConfig.read(file).users().get("u");
    assertThat(user.authProvider()).isEqualTo("oidc");
    assertThat(user.authProviderConfig())
        .containsEntry("id-token", next)
        .containsEntry("refresh-token", "r2")
        .containsEntry("client-id", "id");
    assertThat(Files.readString(file)).contains("unknown: kept", "certificate-authority: ca.crt");
    assertThat(config.toString()).contains("oidc=auth-provider oidc (of user \"u\" in kubeconfig ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9e18", "-9e18", "9223372036854775807", "-9223372036854775808"})
  void token_withATimeBeyondAllTimes_isUnderstood(String expiry) throws Exception {
    String claims = "{\"exp\":" + expiry + "}";
    String token = "e30." + Base64.getUrlEncoder().encodeToString(claims.getBytes(UTF_8)) + ".c2ln";
    String next = token(clock.now().plusSeconds(3600));
    idp.enqueue(discovery(), tokens(next));

    assertThat(credentials("id-token", token, "refresh-token", "r1").current().authorization())
        .isEqualTo("Bearer " + next);
  }

  @Test
  void token_withALineBreak_isRefused_andNotShown() {
    assertThatThrownBy(() -> credentials("id-token", "secret\r\nX: y"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("auth-provider oidc has an id-token that contains a line break");
  }

  @Test
  void provider_withAnAddressThatIsNone_isNamed() {
    for (String issuer : List.of("https://[", "https://a b")) {
      assertThatThrownBy(
              () -> credentials("refresh-token", "r1", "idp-issuer-url", issuer).current())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("auth-provider oidc (of user \"u\") cannot be refreshed: ");
    }
    idp.enqueue(TestServer.json(200, "{\"token_endpoint\":\"https://[\"}"));
    assertThatThrownBy(() -> credentials("refresh-token", "r1").current())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("auth-provider oidc (of user \"u\") cannot be refreshed: ");
    assertThatThrownBy(
            () ->
                credentials("refresh-token", "r1", "idp-certificate-authority-data", "%").current())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("auth-provider oidc (of user \"u\") cannot be refreshed: ");
  }

  /** The stubs of gcp and azure. */
  @Test
  void otherProviders_areRefusedWithAHint() {
    assertThat(problem("{name: gcp}"))
        .isEqualTo(
            "invalid configuration: user \"u\" in kubeconfig "
                + directory.resolve("config")
                + " uses the auth-provider gcp, which Kubernetes has removed: use exec with the"
                + " plugin gke-gcloud-auth-plugin instead");
    assertThat(problem("{name: azure}")).endsWith("exec with the plugin kubelogin instead");
    assertThat(problem("{name: openstack}"))
        .endsWith(
            "uses the auth-provider openstack, which does not exist: the one there is, is oidc; for"
                + " others there is exec");
    assertThat(problem("{name: oidc, config: {client-id: x}}"))
        .endsWith("config: auth-provider oidc has no idp-issuer-url");
  }

  private String problem(String provider) {
    try {
      Path file =
          Files.writeString(
              directory.resolve("config"),
              "current-context: x\nclusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                  + "users: [{name: u, user: {auth-provider: "
                  + provider
                  + "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n");
      KubeConfigLoader.builder().file(file).build().load();
      return "no problem";
    } catch (ConfigException e) {
      return String.valueOf(e.getMessage());
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
