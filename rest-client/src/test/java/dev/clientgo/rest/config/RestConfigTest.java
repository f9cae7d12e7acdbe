package dev.clientgo.rest.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.UserAgent;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Go tests named are in {@code rest/config_test.go}. */
final class RestConfigTest {

  private static RestConfig.Builder full() {
    return RestConfig.builder("10.0.0.1:6443")
        .certificateAuthority(Path.of("/ca"))
        .tlsServerName("name")
        .clientCertificate(Path.of("/cert"))
        .clientKeyData("KEYSECRET".getBytes(UTF_8))
        .clientKeyPassphrase("PASSSECRET")
        .bearerToken("TOKENSECRET")
        .bearerTokenFile(Path.of("/token"))
        .impersonate(ImpersonationConfig.builder("jane").group("devs").build())
        .userAgent("me/1")
        .proxy(URI.create("http://user:PROXYSECRET@proxy:3128"))
        .namespace("ns");
  }

  /** TestConfigStringer. */
  @Test
  void toString_showsNoSecret() {
    assertThat(full().build().toString())
        .contains(
            "server=https://10.0.0.1:6443/",
            "certificateAuthority=/ca",
            "bearerToken=--- REDACTED ---",
            "clientKey=--- REDACTED ---",
            "impersonate=jane in [devs]",
            "proxy:3128")
        .doesNotContain("SECRET");
    assertThat(RestConfig.builder("h").basicAuth("me", "SECRET").build().toString())
        .contains("username=me, password=--- REDACTED ---")
        .doesNotContain("SECRET");
  }

  /** Errors about a credential name the user and the file that it comes from. */
  @Test
  void userOrigin_isTheUserOfTheKubeconfig(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("config"),
            """
            current-context: x
            clusters: [{name: c, cluster: {server: "https://h"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            """);

    RestConfig config = KubeConfigLoader.builder().file(file).build().load();

    assertThat(config.userOrigin()).isEqualTo("user \"u\" in kubeconfig " + file);
    assertThat(config.anonymous().userOrigin()).isNull();
  }

  /** TestIsConfigTransportTLS. */
  @Test
  void isTls_ifTheUrlOrAnySettingSaysSo() {
    assertThat(RestConfig.builder("localhost").build().isTls()).isFalse();
    assertThat(RestConfig.builder("https://localhost").build().isTls()).isTrue();
    assertThat(RestConfig.builder("1.2.3.4:567").insecure(true).build().isTls()).isTrue();
    assertThat(
            RestConfig.builder("localhost")
                .clientCertificate(Path.of("c"))
                .clientKey(Path.of("k"))
                .build()
                .isTls())
        .isTrue();
    assertThat(RestConfig.builder("localhost").certificateAuthority(Path.of("c")).build().isTls())
        .isTrue();
  }

  /** TestCopyConfig. */
  @Test
  void toBuilder_keepsEverything() {
    RestConfig config = full().build();

    assertThat(config.toBuilder().build()).usingRecursiveComparison().isEqualTo(config);
  }

  /** TestAnonymousAuthConfig. */
  @Test
  void anonymous_keepsServerAndTrustAlone() {
    RestConfig config = full().build().anonymous();

    assertThat(config.server()).isEqualTo(URI.create("https://10.0.0.1:6443/"));
    assertThat(config.certificateAuthority()).hasToString("/ca");
    assertThat(config.tlsServerName()).isEqualTo("name");
    assertThat(config.proxy()).isNotNull();
    assertThat(config.bearerToken()).isNull();
    assertThat(config.bearerTokenFile()).isNull();
    assertThat(config.clientCertificate()).isNull();
    assertThat(config.clientKey()).isNull();
    assertThat(config.clientKeyPassphrase()).isNull();
    assertThat(config.impersonate()).isNull();
  }

  @Test
  void build_ofContradictions_isRefused() {
    assertRefused(
        RestConfig.builder("h").insecure(true).certificateAuthority(Path.of("ca")),
        "a certificate authority is configured and the server's certificate is not to be checked:"
            + " remove one of the two");
    assertRefused(
        RestConfig.builder("h").basicAuth("u", "p").bearerToken("t"),
        "both a user name and a bearer token are configured: remove one of the two");
    assertRefused(
        RestConfig.builder("h").basicAuth("u", "p").bearerTokenFile(Path.of("t")),
        "both a user name and a bearer token are configured: remove one of the two");
    assertRefused(
        RestConfig.builder("h").clientCertificate(Path.of("c")),
        "a client certificate is configured, but no key for it");
    assertRefused(
        RestConfig.builder("h").clientKey(Path.of("c")),
        "a client key is configured, but no certificate for it");
  }

  private static void assertRefused(RestConfig.Builder config, String message) {
    assertThatThrownBy(config::build).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @Test
  void values_thatWouldBreakAHeader_areRefusedUnseen() {
    assertThatThrownBy(() -> RestConfig.builder("h").bearerToken("SECRET\nX-Evil: 1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the bearer token")
        .hasMessageNotContaining("SECRET");
    assertThatThrownBy(() -> RestConfig.builder("h").userAgent("a\r\nb"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ImpersonationConfig.builder("a\nImpersonate-Group: system:masters"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ImpersonationConfig.builder("a").group("b\n"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ImpersonationConfig.builder("a").extra("k", "b\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bearerToken_isStripped() {
    assertThat(RestConfig.builder("h").bearerToken(" t\n").build().bearerToken()).isEqualTo("t");
  }

  /** TestAdjustVersion, TestBuildUserAgent. */
  @Test
  void userAgent_isMadeOfReleaseAndPlatform() {
    assertThat(UserAgent.version(Object.class))
        .isEqualTo(Object.class.getModule().getDescriptor().rawVersion().orElseThrow());
    assertThat(UserAgent.format("1.2.3-alpha4", "Linux", "amd64", "17"))
        .isEqualTo("clientgo-java/1.2.3 (linux/amd64) java/17");
    assertThat(UserAgent.format(null, "Mac OS X", "", null))
        .isEqualTo("clientgo-java/unknown (mac_os_x/unknown) java/unknown");
    assertThat(RestConfig.builder("h").build().userAgent()).startsWith("clientgo-java/");
  }

  @Test
  void timeout_negative_isRefused() {
    assertThatThrownBy(
            () -> RestConfig.builder("https://h").timeout(java.time.Duration.ofSeconds(-1)).build())
        .isInstanceOf(ConfigException.class)
        .hasMessage("a timeout is negative: zero means any time");
  }
}
