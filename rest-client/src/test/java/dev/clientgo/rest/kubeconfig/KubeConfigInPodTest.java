package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.rest.RestConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program in a pod makes of a kubeconfig. The Go tests are in client_config_test. */
final class KubeConfigInPodTest {

  private static final String ONE_CONTEXT =
      """
      current-context: dev
      clusters: [{name: c1, cluster: {server: "https://one:6443"}}]
      users: [{name: u1, user: {token: t1}}]
      contexts: [{name: dev, context: {cluster: c1, user: u1}}]
      """;

  @TempDir private Path directory;

  private RestConfig inAPod(String text, Consumer<KubeConfigLoader.Builder> steps)
      throws IOException {
    RestConfig pod =
        RestConfig.builder("https://pod").bearerToken("pod").namespace("pod-ns").build();
    KubeConfigLoader.Builder builder =
        KubeConfigLoader.builder(Map.of())
            .file(Files.writeString(directory.resolve("config"), text))
            .inCluster(() -> Optional.of(pod));
    steps.accept(builder);
    return builder.build().load();
  }

  /**
   * TestInClusterConfig, TestInClusterConfigNamespace: a kubeconfig with a cluster goes first, one
   * without leaves the pod's.
   */
  @Test
  void load_inAPod_isThatOfThePodUnlessThereIsACluster() throws IOException {
    URI pod = URI.create("https://pod/");

    assertThat(inAPod("", builder -> {}).server()).isEqualTo(pod);
    assertThat(inAPod("", builder -> {}).namespace()).isEqualTo("pod-ns");
    assertThat(inAPod("", builder -> builder.namespace("mine")).namespace()).isEqualTo("mine");
    String noCurrent = ONE_CONTEXT.replace("current-context: dev", "");
    assertThat(inAPod(noCurrent, builder -> {}).server()).isEqualTo(pod);
    assertThat(inAPod(ONE_CONTEXT, builder -> {}).server())
        .isEqualTo(URI.create("https://one:6443/"));
    assertThatThrownBy(() -> inAPod("", builder -> builder.context("x")))
        .hasMessage(
            "context \"x\" does not exist: kubeconfig "
                + directory.resolve("config")
                + " has no context");
  }

  /** TestInClusterClientConfigPrecedence. */
  @Test
  void load_inAPod_takesServerTokenAndAuthorityFromOverrides() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "mine");

    assertThat(
            inAPod("", builder -> builder.override(AuthInfo.builder().token("mine").build()))
                .toString())
        .contains("https://pod/", "bearerToken=---")
        .doesNotContain("bearerTokenFile");
    assertThat(
            inAPod(
                    "",
                    builder ->
                        builder.override(AuthInfo.builder().tokenFile(token.toString()).build()))
                .toString())
        .contains("bearerTokenFile=" + token)
        .doesNotContain("bearerToken=");
    Cluster trust = Cluster.builder().certificateAuthority("/ca-from-overrides.crt").build();
    assertThat(inAPod("", builder -> builder.override(trust)).toString())
        .contains("https://pod/", "certificateAuthority=/ca-from-overrides.crt");
    Cluster server = Cluster.builder().server("https://given").build();
    assertThat(inAPod("", builder -> builder.override(server)).server())
        .isEqualTo(URI.create("https://given/"));
  }
}
