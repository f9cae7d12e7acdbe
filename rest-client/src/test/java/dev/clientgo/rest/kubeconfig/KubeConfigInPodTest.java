package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a program in a pod reads a kubeconfig. The Go tests are in client_config_test. */
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
            .inCluster(() -> pod);
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

  @Test
  void load_inAPodWithoutServiceAccount_saysSo() {
    KubeConfigLoader loader =
        KubeConfigLoader.builder(Map.of("KUBECONFIG", ":"))
            .inCluster(
                () -> {
                  throw new ConfigException("this pod has no service account token");
                })
            .build();

    assertThatThrownBy(loader::load)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "there is no kubeconfig: KUBECONFIG names no file, and this pod has no service account"
                + " token");
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

  /** TestInClusterClientConfigPrecedence, with several overrides at once. */
  @ParameterizedTest
  @CsvSource({
    "'', mine, /ca, https://pod/",
    "https://given, mine, '', https://given/",
    "https://given, '', /ca, https://given/",
    "https://given, mine, /ca, https://given/",
  })
  void load_inAPod_takesOverridesTogether(
      String server, String token, String authority, String expected) throws IOException {
    Cluster.Builder cluster = Cluster.builder();
    if (!server.isEmpty()) {
      cluster.server(server);
    }
    if (!authority.isEmpty()) {
      cluster.certificateAuthority(
          Files.writeString(directory.resolve("ca"), "authority").toString());
    }
    AuthInfo user =
        token.isEmpty() ? AuthInfo.EMPTY : AuthInfo.builder().token(token).tokenFile("/t").build();

    RestConfig config = inAPod("", builder -> builder.override(cluster.build()).override(user));

    assertThat(config.server()).isEqualTo(URI.create(expected));
    assertThat(config.toString().contains("certificateAuthority=")).isEqualTo(!authority.isEmpty());
    assertThat(config.toString().contains("bearerTokenFile=/t")).isEqualTo(!token.isEmpty());
    // Another server is not told who the pod is.
    assertThat(config.toString().contains("bearerToken=")).isEqualTo(!token.isEmpty());
  }

  /** TestInClusterConfigNamespace. */
  @ParameterizedTest
  @CsvSource({
    "'', '', '', pod-ns",
    "default, '', '', default",
    "test, '', '', test",
    "test, '', mine, mine",
    "'', '', mine, mine",
    "'', other, '', default",
  })
  void namespace_inAPod_isThatOfThePodIfNobodyNamesOne(
      String ofTheContext, String context, String override, String expected) throws IOException {
    String text =
        ONE_CONTEXT.replace(
            "contexts: [",
            "contexts: [{name: other, context: {cluster: c1, user: u1, namespace: default}}, ");
    if (!ofTheContext.isEmpty()) {
      text = text.replace("user: u1}}]", "user: u1, namespace: " + ofTheContext + "}}]");
    }

    RestConfig config =
        inAPod(
            text,
            builder ->
                builder
                    .context(context.isEmpty() ? null : context)
                    .namespace(override.isEmpty() ? null : override));

    assertThat(config.server()).isEqualTo(URI.create("https://one:6443/"));
    assertThat(config.namespace()).isEqualTo(expected);
  }

  /** TestInClusterConfig: the pod is asked if there is no configuration, not if it is wrong. */
  @Test
  void error_ofTheKubeconfig_isNotHiddenByThePod() throws IOException {
    Path file = Files.writeString(directory.resolve("config"), ONE_CONTEXT);
    KubeConfigLoader.Builder loader =
        KubeConfigLoader.builder(Map.of())
            .file(file)
            .inCluster(
                () -> {
                  throw new ConfigException("the pod was asked");
                });

    assertThatThrownBy(() -> loader.context("gone").build().load())
        .hasMessageStartingWith("context \"gone\" does not exist");
    Files.writeString(file, "");
    assertThatThrownBy(() -> loader.context(null).build().load())
        .hasMessageEndingWith(", and the pod was asked");
  }
}
