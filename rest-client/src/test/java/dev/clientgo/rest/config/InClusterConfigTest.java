package dev.clientgo.rest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InClusterConfigTest {

  private static final Map<String, String> ENV =
      Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "KUBERNETES_SERVICE_PORT", "443");

  @TempDir private Path account;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(account.resolve("token"), "the-token\n");
    Files.writeString(account.resolve("ca.crt"), TestServer.AUTHORITY.certificatePem());
    Files.writeString(account.resolve("namespace"), "my-namespace\n");
  }

  @Test
  void load_inAPod_usesItsServiceAccount() {
    RestConfig config = InClusterConfig.load(ENV, account);

    assertThat(config.server()).isEqualTo(URI.create("https://10.96.0.1/"));
    assertThat(config.bearerToken()).isEqualTo("the-token");
    assertThat(config.bearerTokenFile()).isEqualTo(account.resolve("token"));
    assertThat(config.certificateAuthority()).hasToString(account.resolve("ca.crt").toString());
    assertThat(config.namespace()).isEqualTo("my-namespace");
    assertThat(InClusterConfig.isPossible(ENV, account)).isTrue();
  }

  @Test
  void load_withIpv6_putsTheHostInBrackets() {
    Map<String, String> env =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");

    assertThat(InClusterConfig.load(env, account).server())
        .isEqualTo(URI.create("https://[fd00::1]:6443/"));
  }

  @Test
  void load_withPodNamespace_prefersIt() {
    Map<String, String> env = new java.util.HashMap<>(ENV);
    env.put("POD_NAMESPACE", "other");

    assertThat(InClusterConfig.load(env, account).namespace()).isEqualTo("other");
  }

  @Test
  void load_withoutAuthorityAndNamespace_doesWithout() throws IOException {
    Files.delete(account.resolve("ca.crt"));
    Files.delete(account.resolve("namespace"));

    RestConfig config = InClusterConfig.load(ENV, account);

    assertThat(config.certificateAuthority()).isNull();
    assertThat(config.namespace()).isEqualTo("default");
  }

  @Test
  void load_outsideAPod_saysSo() {
    assertThatThrownBy(() -> InClusterConfig.load(Map.of(), account))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "this program does not run in a pod: KUBERNETES_SERVICE_HOST and"
                + " KUBERNETES_SERVICE_PORT are not set");
    assertThat(InClusterConfig.isPossible(Map.of(), account)).isFalse();
  }

  @Test
  void load_withoutToken_namesTheFile() throws IOException {
    Files.writeString(account.resolve("token"), " \n");
    assertThatThrownBy(() -> InClusterConfig.load(ENV, account))
        .hasMessage("the service account token of this pod is empty: " + account.resolve("token"));

    Files.delete(account.resolve("token"));
    assertThatThrownBy(() -> InClusterConfig.load(ENV, account))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot read " + account.resolve("token"));
    assertThat(InClusterConfig.isPossible(ENV, account)).isFalse();
  }

  @Test
  void load_withHalfOfTheEnvironment_saysWhichHalf() {
    assertThatThrownBy(
            () -> InClusterConfig.load(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), account))
        .hasMessage("this program does not run in a pod: KUBERNETES_SERVICE_PORT is not set");
  }
}
