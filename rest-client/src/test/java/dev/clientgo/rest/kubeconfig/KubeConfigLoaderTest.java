package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.RestConfig;
import java.io.File;
import java.io.IOException;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * From files to a configuration. The Go tests named are in {@code tools/clientcmd}: loader_test,
 * client_config_test, merged_client_builder_test, overrides_test, validation_test.
 */
final class KubeConfigLoaderTest {

  private static final String TWO_CONTEXTS =
      """
      current-context: dev
      clusters:
      - name: c1
        cluster: {server: "https://one:6443", tls-server-name: name}
      - name: c2
        cluster: {server: "https://two:6443/prefix?x=1", insecure-skip-tls-verify: true}
      - name: plain
        cluster: {server: "http://three:8080"}
      users:
      - name: u1
        user: {token: t1}
      - name: u2
        user: {username: me, password: secret, as: jane, as-groups: [g]}
      contexts:
      - name: dev
        context: {cluster: c1, user: u1, namespace: ns}
      - name: prod
        context: {cluster: c2, user: u2}
      - name: local
        context: {cluster: plain, user: u2}
      - name: orphan
        context: {cluster: gone, user: u1}
      """;

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private String file() {
    return "kubeconfig " + directory.resolve("config");
  }

  private RestConfig load(String text, Consumer<KubeConfigLoader.Builder> steps)
      throws IOException {
    KubeConfigLoader.Builder builder =
        KubeConfigLoader.builder(Map.of()).file(write("config", text));
    steps.accept(builder);
    return builder.build().load();
  }

  private ConfigException error(String text, Consumer<KubeConfigLoader.Builder> steps) {
    try {
      throw new AssertionError("no error, but " + load(text, steps));
    } catch (ConfigException e) {
      return e;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /* --------------- Which files --------------- */

  @Test
  void files_areThoseOfTheEnvironment() {
    String list = String.join(File.pathSeparator, "/a", "", "/b", "/a", " ", "/c");

    assertThat(KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build().files())
        .containsExactly(Path.of("/a"), Path.of("/b"), Path.of("/c"));
    assertThat(KubeConfigLoader.builder(Map.of("HOME", "/home/me")).build().files())
        .containsExactly(Path.of("/home/me/.kube/config"));
    assertThat(
            KubeConfigLoader.builder(Map.of("KUBECONFIG", "/a"))
                .file(Path.of("/x"))
                .build()
                .files())
        .containsExactly(Path.of("/x"));
  }

  /** TestNonExistentCommandLineFile, TestToleratingMissingFiles, TestWarningMissingFiles. */
  @Test
  void load_withoutAnyFile_saysWhereItLooked() {
    Path missing = directory.resolve("a");
    String list = missing + File.pathSeparator + directory.resolve("b");

    assertThatThrownBy(() -> KubeConfigLoader.builder(Map.of()).file(missing).build().load())
        .isInstanceOf(ConfigException.class)
        .hasMessage("there is no kubeconfig " + missing);
    assertThatThrownBy(() -> KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build().load())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "there is no kubeconfig: looked for "
                + missing
                + ", "
                + directory.resolve("b")
                + " (from KUBECONFIG), and this program does not run in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
    assertThatThrownBy(
            () -> KubeConfigLoader.builder(Map.of("HOME", directory.toString())).build().load())
        .hasMessage(
            "there is no kubeconfig: looked for "
                + directory.resolve(".kube/config")
                + ", and this program does not run in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }

  @Test
  void kubeConfig_ofManyFiles_isMerged() throws IOException {
    Path first = write("first", "current-context: b\nusers: [{name: u1, user: {token: mine}}]");
    Path second = write("second", TWO_CONTEXTS.replace("current-context: dev", ""));
    String list =
        first + File.pathSeparator + directory.resolve("missing") + File.pathSeparator + second;

    KubeConfig config = KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build().kubeConfig();

    assertThat(config.currentContext()).isEqualTo("b");
    assertThat(config.users().get("u1").token()).isEqualTo("mine");
    assertThat(config.users().get("u1").origin()).isEqualTo(first);
    assertThat(config.clusters().get("c1").origin()).isEqualTo(second);
  }

  /** TestErrorReadingFile, TestErrorReadingNonFile: all errors are reported. */
  @Test
  void kubeConfig_withDamagedFiles_namesThemAll() throws IOException {
    Path damaged = write("damaged", "a: [");
    String list =
        damaged + File.pathSeparator + directory + File.pathSeparator + write("fine", TWO_CONTEXTS);

    assertThatThrownBy(
            () -> KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build().kubeConfig())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("kubeconfig " + damaged + ", line 1, column ")
        .hasMessageEndingWith("; cannot read kubeconfig " + directory + ": it is a directory");
  }

  /* --------------- Contexts and overrides --------------- */

  @Test
  void load_usesTheCurrentContext() throws IOException {
    RestConfig config = load(TWO_CONTEXTS, builder -> {});

    assertThat(config.server()).isEqualTo(URI.create("https://one:6443/"));
    assertThat(config.namespace()).isEqualTo("ns");
    assertThat(config.toString()).contains("tlsServerName=name", "bearerToken=---");
  }

  @Test
  void load_ofAnotherContext_usesThat() throws IOException {
    RestConfig config = load(TWO_CONTEXTS, builder -> builder.context("prod"));

    assertThat(config.server()).isEqualTo(URI.create("https://two:6443/prefix/"));
    assertThat(config.namespace()).isEqualTo("default");
    assertThat(config.impersonate()).isNotNull();
    assertThat(config.toString()).contains("insecure=true", "username=me", "jane in [g]");
  }

  @Test
  void load_ofAnUnknownContext_listsTheKnown() {
    assertThat(error(TWO_CONTEXTS, builder -> builder.context("nope")))
        .hasMessage("context \"nope\" does not exist: " + file() + " has dev, prod, local, orphan");
    assertThat(error("clusters: []", builder -> builder.context("nope")))
        .hasMessage("context \"nope\" does not exist: " + file() + " has no context");
    assertThat(error("current-context: gone\nclusters: [{name: x}]", builder -> {}))
        .hasMessage("context \"gone\" does not exist: " + file() + " has no context");
  }

  @Test
  void load_ofAContextWithoutItsCluster_listsTheKnown() {
    assertThat(error(TWO_CONTEXTS, builder -> builder.context("orphan")))
        .hasMessage("cluster \"gone\" does not exist: " + file() + " has c1, c2, plain");
    assertThat(error(TWO_CONTEXTS, builder -> builder.user("nobody")))
        .hasMessage("user \"nobody\" does not exist: " + file() + " has u1, u2");
  }

  @Test
  void load_withOverrides_mixes() throws IOException {
    RestConfig config =
        load(TWO_CONTEXTS, builder -> builder.cluster("c2").user("u1").namespace("mine"));

    assertThat(config.server()).isEqualTo(URI.create("https://two:6443/prefix/"));
    assertThat(config.namespace()).isEqualTo("mine");
    assertThat(config.toString()).contains("bearerToken=---").doesNotContain("username");
  }

  /** TestDisableCompression, TestFullImpersonateConfig. */
  @Test
  void override_ofAnything_isTaken() throws IOException {
    Cluster plain = Cluster.builder().disableCompression(true).build();
    AuthInfo alice =
        AuthInfo.builder()
            .impersonate("alice")
            .impersonateUid("abc123")
            .impersonateGroups(List.of("group-1"))
            .impersonateUserExtra(Map.of("some-key", List.of("some-value")))
            .build();

    RestConfig config = load(TWO_CONTEXTS, builder -> builder.override(plain).override(alice));

    assertThat(config)
        .usingRecursiveComparison()
        .isEqualTo(
            load(TWO_CONTEXTS, builder -> {}).toBuilder()
                .disableCompression(true)
                .impersonate(
                    ImpersonationConfig.builder("alice")
                        .uid("abc123")
                        .group("group-1")
                        .extra("some-key", "some-value")
                        .build())
                .build());
  }

  /** TestAuthConfigMerge. */
  @Test
  void load_withAPlugin_givesItWhatTheClusterHasForIt() throws IOException {
    RestConfig config =
        load(
            context(
                "server: \"https://h\", extensions: [{name: client.authentication.k8s.io/exec,"
                    + " extension: {audience: foo, other: bar}}]",
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: foo-command,"
                    + " interactiveMode: Never, args: [arg-1, arg-2], provideClusterInfo: true}"),
            builder -> {});

    assertThat(config.exec())
        .usingRecursiveComparison()
        .isEqualTo(
            ExecConfig.builder(ExecConfig.V1, "foo-command")
                .interactiveMode(ExecConfig.InteractiveMode.NEVER)
                .args(List.of("arg-1", "arg-2"))
                .provideClusterInfo(true)
                .clusterConfig(Map.of("audience", "foo", "other", "bar"))
                .origin("user \"u\" in " + file())
                .build());
  }

  /** TestTLSServerName, TestTLSServerNameClearsWhenServerNameSet. */
  @Test
  void load_withAnotherServer_forgetsTheNameOfTheFirst() throws IOException {
    Cluster server = Cluster.builder().server("https://other").build();

    assertThat(load(TWO_CONTEXTS, builder -> builder.override(server)).toString())
        .contains("https://other/")
        .doesNotContain("tlsServerName");
    assertThat(
            load(
                    TWO_CONTEXTS,
                    builder -> builder.override(server.toBuilder().tlsServerName("new").build()))
                .toString())
        .contains("tlsServerName=new");
  }

  /** TestInsecureOverridesCA, TestCAOverridesCAData. */
  @Test
  void override_ofTrust_replacesItAltogether() {
    Cluster trusting =
        Cluster.builder().certificateAuthority("/ca").certificateAuthorityData(new byte[1]).build();

    assertThat(trusting.overriddenBy(Cluster.builder().insecureSkipTlsVerify(true).build()))
        .isEqualTo(Cluster.builder().insecureSkipTlsVerify(true).build());
    assertThat(trusting.overriddenBy(Cluster.builder().certificateAuthority("/other").build()))
        .isEqualTo(Cluster.builder().certificateAuthority("/other").build());
    assertThat(trusting.overriddenBy(Cluster.builder().server("s").build()))
        .isEqualTo(trusting.toBuilder().server("s").build());
  }

  /** TestCertificateData, TestClientCertOverrideData: a file displaces data and the reverse. */
  @Test
  void override_ofACertificate_displacesBothItsForms() {
    AuthInfo user =
        AuthInfo.builder()
            .clientCertificateData(new byte[1])
            .clientKeyData(new byte[1])
            .token("t")
            .build();

    assertThat(
            user.overriddenBy(
                AuthInfo.builder().clientCertificate("/crt").clientKey("/key").build()))
        .isEqualTo(
            AuthInfo.builder().clientCertificate("/crt").clientKey("/key").token("t").build());
    assertThat(user.overriddenBy(AuthInfo.builder().clientKey("/key").build()))
        .isEqualTo(
            AuthInfo.builder()
                .clientCertificateData(new byte[1])
                .clientKey("/key")
                .token("t")
                .build());
  }

  /** TestBasicAuthData, TestCreateClean: plain http carries no credentials. */
  @Test
  void load_withoutTls_sendsNoCredentialsButImpersonates() throws IOException {
    RestConfig config = load(TWO_CONTEXTS, builder -> builder.context("local"));

    assertThat(config.isTls()).isFalse();
    assertThat(config.toString()).doesNotContain("username", "password");
    assertThat(config.impersonate()).extracting(ImpersonationConfig::userName).isEqualTo("jane");
  }

  /**
   * TestBasicTokenFile, TestPrecedenceTokenFile: the token at hand is the first, the file refreshes
   * it.
   */
  @Test
  void load_withTokenAndFile_usesBoth() throws IOException {
    Path token = write("token", "from-file");

    String text =
        load(
                """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: {token: inline, tokenFile: token}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """,
                builder -> {})
            .toString();

    assertThat(text).contains("bearerToken=--- REDACTED ---", "bearerTokenFile=" + token);
  }

  @Test
  void load_withData_prefersIt() throws IOException {
    RestConfig config =
        load(
            """
            current-context: x
            clusters: [{name: c, cluster: {server: "https://h", certificate-authority-data: QQ==}}]
            contexts: [{name: x, context: {cluster: c}}]
            """,
            builder -> {});

    assertThat(config.toString()).contains("certificateAuthority=(inline, 1 bytes)");
  }

  @Test
  void namespace_isTheOverrideOrThatOfTheContext() throws IOException {
    Path file = write("config", TWO_CONTEXTS);

    assertThat(KubeConfigLoader.builder(Map.of()).file(file).build().namespace()).contains("ns");
    assertThat(KubeConfigLoader.builder(Map.of()).file(file).namespace("x").build().namespace())
        .contains("x");
    assertThat(KubeConfigLoader.builder(Map.of()).file(file).context("prod").build().namespace())
        .contains("default");
  }

  /* --------------- Validation --------------- */

  private static String context(String cluster, String user) {
    return """
    current-context: x
    clusters: [{name: c, cluster: {%s}}]
    users: [{name: u, user: {%s}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    """
        .formatted(cluster, user);
  }

  /** TestValidateEmptyClusterInfo, TestValidateMultipleMethodsAuthInfo and others. */
  @Test
  void load_ofAnInvalidContext_saysAllThatIsWrong() {
    assertThat(
            error(
                context("tls-server-name: n", "token: t, username: u, as-groups: [g]"),
                builder -> {}))
        .hasMessage(
            ("invalid configuration: cluster \"c\" in %1$s has no server; user \"u\" in %1$s has both"
                    + " a token and a password: only one is allowed; user \"u\" in %1$s impersonates"
                    + " a uid, groups or extra, but no user: set as")
                .formatted(file()));
  }

  @Test
  void load_withFilesThatAreMissing_namesThem() {
    assertThat(
            error(
                context(
                    "server: \"https://h\", certificate-authority: no-ca",
                    "client-certificate: no-cert, client-key: no-key"),
                builder -> {}))
        .hasMessageContaining(
            "cluster \"c\" in "
                + file()
                + ": certificate-authority: there is no file "
                + directory.resolve("no-ca"))
        .hasMessageContaining(
            ": client-certificate: there is no file " + directory.resolve("no-cert"))
        .hasMessageContaining(": client-key: there is no file " + directory.resolve("no-key"));
  }

  @Test
  void load_withACertificateButNoKey_saysSo() {
    assertThat(
            error(context("server: \"https://h\"", "client-certificate-data: QQ=="), builder -> {}))
        .hasMessage(
            "invalid configuration: user \"u\" in "
                + file()
                + " has a client-certificate but no client-key");
  }

  @Test
  void load_withTwoForms_asksToRemoveOne() {
    assertThat(
            error(
                context(
                    "server: \"https://h\", certificate-authority: config,"
                        + " certificate-authority-data: QQ==",
                    ""),
                builder -> {}))
        .hasMessage(
            "invalid configuration: cluster \"c\" in "
                + file()
                + " has both certificate-authority and certificate-authority-data: remove one");
  }

  /** TestProxyURL. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://proxy",
        "proxy:3128",
        "http://",
        ":",
        "//proxy",
        "socks4://p",
        "socks6://example.com",
        "example.com",
        "chewbacca@example.com"
      })
  void load_withAnImpossibleProxy_isRefused(String proxy) {
    assertThat(
            error(
                context("server: \"https://h\", proxy-url: \"" + proxy + "\"", ""), builder -> {}))
        .hasMessage(
            "invalid configuration: cluster \"c\" in "
                + file()
                + " has a proxy-url that is not an http, https or socks5 URL");
  }

  @Test
  void load_withCertificateData_keepsIt() throws IOException {
    byte[] pem = "pem".getBytes(UTF_8);
    AuthInfo user = AuthInfo.builder().clientCertificateData(pem).clientKeyData(pem).build();

    assertThat(
            load(context("server: \"https://h\"", ""), builder -> builder.override(user))
                .toString())
        .contains("clientCertificate=(inline, 3 bytes)", "clientKey=--- REDACTED ---");
    assertThat(List.of(user)).asString().doesNotContain("pem");
  }

  /* --------------- What kubectl accepts --------------- */

  /**
   * As with kubectl, the user is anonymous; this is no error (TestCreateMissingContextNoDefault).
   */
  @Test
  void load_ofAUserWhoDoesNotExist_isNobody() throws IOException {
    String text = context("server: \"https://h\"", "token: t").replace("user: u}", "user: gone}");

    assertThat(load(text, builder -> {}).toString()).doesNotContain("bearerToken");
    AuthInfo known = AuthInfo.builder().token("mine").build();
    assertThat(load(text, builder -> builder.override(known)).toString()).contains("bearerToken");
  }

  @Test
  void load_ofAClusterThatDoesNotExist_needsAServer() throws IOException {
    String text = context("server: \"https://h\"", "").replace("cluster: c,", "cluster: gone,");
    Cluster known = Cluster.builder().server("https://given").build();

    assertThat(error(text, builder -> {}))
        .hasMessage("cluster \"gone\" does not exist: " + file() + " has c");
    assertThat(load(text, builder -> builder.override(known)).server())
        .isEqualTo(URI.create("https://given/"));
  }

  @Test
  void load_ofEntriesWithoutNames_findsThem() throws IOException {
    assertThat(
            load(
                """
                clusters: [{cluster: {server: "https://h"}}]
                users: [{user: {token: t}}]
                """,
                builder -> {}))
        .hasToString(load(context("server: \"https://h\"", "token: t"), builder -> {}).toString());
  }

  /** TestMergeContext, TestModifyContext: fields of the context one by one. */
  @Test
  void load_withoutCurrentContext_asksForOne() {
    assertThat(error(TWO_CONTEXTS.replace("current-context: dev", ""), builder -> {}))
        .hasMessage(
            file()
                + " names no current-context: choose one of its contexts (dev, prod, local, orphan),"
                + " as kubectl config use-context does");
    assertThat(error("current-context: x\ncontexts: [{name: x}]", builder -> {}))
        .hasMessage(file() + ": context \"x\" names no cluster");
  }

  /** A namespace that cannot be one is for the server to refuse. */
  @Test
  void load_ofANamespaceThatIsNoLabel_isAccepted() throws IOException {
    assertThat(load(TWO_CONTEXTS, builder -> builder.namespace("Bad_NS")).namespace())
        .isEqualTo("Bad_NS");
  }

  /** TestCreateCleanDefaultCluster: defaults, then the file, then the override. */
  @Test
  void load_withDefaults_goesByTheFileFirst() throws IOException {
    Cluster defaults = Cluster.builder().server("https://default").tlsServerName("default").build();

    assertThat(load("{}", builder -> builder.clusterDefaults(defaults)).toString())
        .contains("https://default/", "tlsServerName=default");
    assertThat(load(TWO_CONTEXTS, builder -> builder.clusterDefaults(defaults)).toString())
        .contains("https://one:6443/", "tlsServerName=name");
  }

  /** ParseTimeout. */
  @ParameterizedTest
  @CsvSource({"0, PT0S", "5, PT5S", "1m, PT1M", "1m30s, PT1M30S", "2h, PT2H", "250ms, PT0.25S"})
  void timeout_isSecondsOrHasAUnit(String text, Duration expected) throws IOException {
    assertThat(load(TWO_CONTEXTS, builder -> builder.timeout(text)).timeout()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "-1s", "5 s", "1d", "1.5"})
  void timeout_ofAnythingElse_isRefused(String text) {
    assertThatThrownBy(() -> KubeConfigLoader.builder(Map.of()).timeout(text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "the request timeout is \""
                + text
                + "\", but must be seconds, or a number with a unit such as 1s, 2m or 3h");
  }

  /** As kubectl without a user in the kubeconfig (TestCreateClean). */
  @Test
  void prompt_isForNobodyOnTlsAlone() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Consumer<KubeConfigLoader.Builder> prompt =
        builder ->
            builder.prompt(
                () -> {
                  asked.incrementAndGet();
                  return new PasswordAuthentication("asked", "pw".toCharArray());
                });

    assertThat(load(context("server: \"https://h\"", ""), prompt).toString())
        .contains("username=asked", "password=---")
        .doesNotContain("pw");
    assertThat(asked).hasValue(1);
    load(context("server: \"https://h\"", "token: t"), prompt);
    load(context("server: \"http://h\"", ""), prompt);
    assertThat(asked).hasValue(1);
  }
}
