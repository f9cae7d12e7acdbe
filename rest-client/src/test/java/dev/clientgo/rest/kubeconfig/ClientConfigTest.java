package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.rest.config.RestConfig;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client configuration of one cluster, and of several files. The Go tests named are in {@code
 * tools/clientcmd}: client_config_test, loader_test.
 */
final class ClientConfigTest {

  private static final String ALFA =
      """
      clusters: [{name: cow, cluster: {server: "http://cow.org:8080"}}]
      users: [{name: red, user: {token: red-token}}]
      contexts: [{name: federal, context: {cluster: cow, user: red, namespace: hammer}}]
      """;
  private static final String CONFLICTING =
      """
      current-context: federal
      clusters:
      - {name: cow, cluster: {server: "http://other:8080", insecure-skip-tls-verify: true}}
      - {name: donkey, cluster: {server: "http://donkey.org:8080", disable-compression: true}}
      users:
      - {name: red, user: {token: another}}
      - {name: yellow, user: {token: yellow-token}}
      """;

  @TempDir private Path directory;

  private static RestConfig config(String cluster) {
    return KubeConfig.parse(
            """
            current-context: x
            clusters: [{name: c, cluster: {%s}}]
            contexts: [{name: x, context: {cluster: c}}]
            """
                .formatted(cluster))
        .restConfig();
  }

  /** TestProxyURL; what is refused is in {@link KubeConfigLoaderTest}. */
  @ParameterizedTest
  @ValueSource(strings = {"socks5://example.com", "https://example.com", "http://example.com"})
  void proxyUrl_isTaken(String proxy) {
    RestConfig config = config("server: 'https://h', proxy-url: '" + proxy + "'");

    assertThat(config)
        .usingRecursiveComparison()
        .isEqualTo(config("server: 'https://h'").toBuilder().proxy(URI.create(proxy)).build())
        .isNotEqualTo(config("server: 'https://h'"));
  }

  /** In Go there is no other way to say nothing. */
  @Test
  void emptyText_isAsGoodAsNone() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config"),
            ALFA.replace("token: red-token", "token: '', client-certificate: '', auth-provider: ''")
                + "current-context: federal");
    KubeConfigLoader.Builder loader =
        KubeConfigLoader.builder(Map.of())
            .file(file)
            .override(Cluster.builder().server("").tlsServerName("").build());

    assertThat(loader.build().load().server()).isEqualTo(URI.create("http://cow.org:8080/"));
  }

  /** TestCreateCleanWithPrefix. */
  @ParameterizedTest
  @CsvSource({
    "https://anything.com:8080/foo/bar, https://anything.com:8080/foo/bar/",
    "http://anything.com:8080/foo/bar, http://anything.com:8080/foo/bar/",
    "http://anything.com:8080/foo/bar/, http://anything.com:8080/foo/bar/",
    "http://anything.com:8080/, http://anything.com:8080/",
    "http://anything.com:8080//, http://anything.com:8080/",
    "anything.com:8080, http://anything.com:8080/",
    "anything.com, http://anything.com/",
    "anything, http://anything/",
    "'', http://localhost:8080/",
  })
  void server_ofAnyForm_isAUrl_orTheDefault(String server, URI expected) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config"),
            "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: c,"
                + " cluster: {server: '"
                + server
                + "'}}]");
    Cluster defaults = Cluster.builder().server("http://localhost:8080").build();

    assertThat(
            KubeConfigLoader.builder(Map.of())
                .file(file)
                .clusterDefaults(defaults)
                .build()
                .load()
                .server())
        .isEqualTo(expected);
  }

  private KubeConfigLoader.Builder files() throws IOException {
    Path first = Files.writeString(directory.resolve("first"), ALFA);
    Path second = Files.writeString(directory.resolve("second"), CONFLICTING);
    return KubeConfigLoader.builder(Map.of("KUBECONFIG", first + File.pathSeparator + second));
  }

  /** Example_mergingSomeWithConflict: of an entry the first file has all. */
  @Test
  void entry_ofTwoFiles_isThatOfTheFirst() throws IOException {
    KubeConfig merged = files().build().kubeConfig();

    assertThat(merged.clusters()).containsOnlyKeys("cow", "donkey");
    assertThat(merged.clusters().get("cow").server()).isEqualTo("http://cow.org:8080");
    assertThat(merged.clusters().get("cow").insecureSkipTlsVerify()).isFalse();
    assertThat(merged.clusters().get("donkey").disableCompression()).isTrue();
    assertThat(merged.users()).containsOnlyKeys("red", "yellow");
    assertThat(merged.users().get("red").token()).isEqualTo("red-token");
    assertThat(merged.contexts().get("federal").namespace()).isEqualTo("hammer");
    assertThat(merged.currentContext()).isEqualTo("federal");
  }

  /** Example_noMergingOnExplicitPaths. */
  @Test
  void explicitFile_isReadAlone() throws IOException {
    KubeConfig alone = files().file(directory.resolve("first")).build().kubeConfig();

    assertThat(alone.clusters()).containsOnlyKeys("cow");
    assertThat(alone.users()).containsOnlyKeys("red");
    assertThat(alone.currentContext()).isNull();
  }
}
