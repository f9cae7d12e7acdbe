package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The form of a kubeconfig; the Go tests named are in {@code tools/clientcmd/loader_test.go}. */
final class KubeConfigTest {

  private static final String FULL =
      """
      apiVersion: v1
      kind: Config
      preferences: {colors: true}
      current-context: dev
      unknown-to-us: {kept: [1, 2]}
      clusters:
      - name: c
        cluster:
          server: https://10.0.0.1
          tls-server-name: kubernetes
          certificate-authority: pki/ca.crt
          proxy-url: http://proxy:3128
          disable-compression: true
          extensions:
          - name: x
            extension: {a: b}
      users:
      - name: u
        user:
          client-certificate-data: Y2VydA==
          client-key: /abs/key
          tokenFile: ./token
          as: jane
          as-uid: "7"
          as-groups: [a, b]
          as-user-extra:
            scopes: [view, edit]
          exec: {command: bin/login, args: [x], apiVersion: client.authentication.k8s.io/v1}
      contexts:
      - name: dev
        context: {cluster: c, user: u, namespace: team}
      """;

  @TempDir private Path directory;

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("config"), text);
  }

  @Test
  void read_givesEverything() throws IOException {
    Path file = write(FULL);

    KubeConfig config = KubeConfig.read(file);

    assertThat(config.currentContext()).isEqualTo("dev");
    Cluster cluster = config.clusters().get("c");
    assertThat(cluster.server()).isEqualTo("https://10.0.0.1");
    assertThat(cluster.tlsServerName()).isEqualTo("kubernetes");
    assertThat(cluster.proxyUrl()).isEqualTo("http://proxy:3128");
    assertThat(cluster.disableCompression()).isTrue();
    assertThat(cluster.insecureSkipTlsVerify()).isFalse();
    assertThat(cluster.origin()).isEqualTo(file.toAbsolutePath());
    AuthInfo user = config.users().get("u");
    assertThat(user.clientCertificateData()).isEqualTo("cert".getBytes(UTF_8));
    assertThat(user.clientKeyData()).isNull();
    assertThat(user.impersonate()).isEqualTo("jane");
    assertThat(user.impersonateUid()).isEqualTo("7");
    assertThat(user.impersonateGroups()).containsExactly("a", "b");
    assertThat(user.impersonateUserExtra()).isEqualTo(Map.of("scopes", List.of("view", "edit")));
    assertThat(config.contexts().get("dev").namespace()).isEqualTo("team");
  }

  /** TestResolveRelativePaths. */
  @Test
  void read_resolvesPathsAgainstTheFile() throws IOException {
    KubeConfig config = KubeConfig.read(write(FULL));

    assertThat(config.clusters().get("c").certificateAuthority())
        .isEqualTo(directory.resolve("pki/ca.crt").toString());
    assertThat(config.users().get("u").clientKey()).isEqualTo("/abs/key");
    assertThat(config.users().get("u").tokenFile())
        .isEqualTo(directory.resolve("token").toString());
    assertThat(config.users().get("u").tree().tree("exec").string("command"))
        .isEqualTo(directory.resolve("bin/login").toString());
  }

  @Test
  void read_leavesABareCommandToThePath() throws IOException {
    KubeConfig config = KubeConfig.read(write("users: [{name: u, user: {exec: {command: aws}}}]"));

    assertThat(config.users().get("u").tree().tree("exec").string("command")).isEqualTo("aws");
  }

  @Test
  void toYaml_losesNothing() {
    KubeConfig config = KubeConfig.parse(FULL);

    assertThat(KubeConfig.parse(config.toYaml())).isEqualTo(config);
    assertThat(config.toYaml()).contains("unknown-to-us", "kept", "extension", "colors");
  }

  @Test
  void toBuilder_changesWhatItIsTold() {
    KubeConfig config = KubeConfig.parse(FULL);
    AuthInfo user = config.users().get("u").toBuilder().token("new").clientKey(null).build();

    KubeConfig changed =
        config.toBuilder().user("u", user).cluster("c", null).currentContext("x").build();

    assertThat(changed.users().get("u").token()).isEqualTo("new");
    assertThat(changed.users().get("u").clientKey()).isNull();
    assertThat(changed.users().get("u").impersonate()).isEqualTo("jane");
    assertThat(changed.clusters()).isEmpty();
    assertThat(changed.currentContext()).isEqualTo("x");
    assertThat(changed.toYaml()).contains("unknown-to-us");
  }

  /** TestLoadingEmptyMaps and the empty document. */
  @Test
  void parse_ofNothing_isEmpty() {
    assertThat(KubeConfig.parse("").isEmpty()).isTrue();
    assertThat(KubeConfig.parse("---\n# nothing\n").isEmpty()).isTrue();
    assertThat(KubeConfig.parse("clusters: null\nusers: []\ncontexts:\n").isEmpty()).isTrue();
  }

  @Test
  void parse_ofJson_works() {
    assertThat(
            KubeConfig.parse("{\"current-context\": \"a\", \"clusters\": [{\"name\": \"c\"}]}")
                .clusters())
        .containsOnlyKeys("c");
  }

  /** kubectl would read these as a boolean and a number if they were not quoted. */
  @Test
  void toYaml_ofWordsAndDigits_quotesThem() {
    KubeConfig config =
        KubeConfig.builder().user("on", AuthInfo.builder().token("0777").build()).build();

    assertThat(config.toYaml()).contains("name: \"on\"", "token: \"0777\"");
    assertThat(KubeConfig.parse(config.toYaml()).users()).isEqualTo(config.users());
  }

  /** Through a tree model that does not resolve aliases, the token would be "t". */
  @Test
  void parse_ofAnAlias_resolvesIt() {
    KubeConfig config =
        KubeConfig.parse(
            """
            secret: &t abc
            users:
            - name: u
              user: {token: *t}
            """);

    assertThat(config.users().get("u").token()).isEqualTo("abc");
  }

  @Test
  void toString_showsNoSecret() {
    KubeConfig config =
        KubeConfig.parse(
            "users: [{name: u, user: {token: SECRET, password: SECRET, client-key-data: U0VDUkVU}}]");

    assertThat(config + " " + config.users().get("u") + " " + config.users())
        .contains("AuthInfo[token, password, client-key-data]")
        .doesNotContain("SECRET", "U0VDUkVU");
  }

  /* --------------- Merging --------------- */

  /** TestConflictingCurrentContext and the loading rules: the first to set a value wins. */
  @Test
  void mergedWith_keepsWhatIsThere() {
    KubeConfig first =
        KubeConfig.parse(
            "current-context: a\nclusters: [{name: c, cluster: {server: https://1}}]\nx: 1");
    KubeConfig second =
        KubeConfig.parse(
            """
            current-context: b
            clusters:
            - {name: c, cluster: {server: https://2, tls-server-name: n}}
            - {name: d, cluster: {server: https://3}}
            x: 2
            y: 3
            """);

    KubeConfig merged = first.mergedWith(second);

    assertThat(merged.currentContext()).isEqualTo("a");
    assertThat(merged.clusters()).containsOnlyKeys("c", "d");
    assertThat(merged.clusters().get("c").server()).isEqualTo("https://1");
    assertThat(merged.clusters().get("c").tlsServerName()).isNull();
    assertThat(KubeConfig.EMPTY.mergedWith(second).currentContext()).isEqualTo("b");
  }

  /** Extensions one by one, as kubectl has it; other fields of the file as a whole. */
  @Test
  void mergedWith_joinsExtensions() {
    KubeConfig merged =
        KubeConfig.parse("extensions: [{name: a, extension: 1}]\npreferences: {colors: true}")
            .mergedWith(
                KubeConfig.parse(
                    "extensions: [{name: a, extension: 2}, {name: b, extension: 3}]\n"
                        + "preferences: {colors: false, more: 1}"));

    assertThat(merged.extension("a")).isEqualTo(1L);
    assertThat(merged.extension("b")).isEqualTo(3L);
    assertThat(merged.preferences()).isEqualTo(Map.of("colors", true, "more", 1L));
  }

  /* --------------- Parts and forms --------------- */

  /**
   * TestMinifySuccess, TestMinifyMissingContext, TestMinifyMissingCluster and
   * TestMinifyMissingAuthInfo.
   */
  @Test
  void minify_keepsWhatTheContextNeeds() {
    KubeConfig config =
        KubeConfig.parse(FULL).toBuilder()
            .cluster("other", Cluster.builder().server("https://o").build())
            .user("other", AuthInfo.EMPTY)
            .context("other", Context.EMPTY)
            .build();

    KubeConfig small = config.minify();

    assertThat(small.clusters()).containsOnlyKeys("c");
    assertThat(small.users()).containsOnlyKeys("u");
    assertThat(small.contexts()).containsOnlyKeys("dev");
    assertThat(small.currentContext()).isEqualTo("dev");
    assertThat(small).isEqualTo(KubeConfig.parse(FULL));
    assertThatThrownBy(() -> config.toBuilder().currentContext("none").build().minify())
        .hasMessage("cannot locate context none");
    assertThatThrownBy(() -> config.toBuilder().currentContext(null).build().minify())
        .hasMessage("current-context must exist in order to minify");
    assertThatThrownBy(() -> config.toBuilder().cluster("c", null).build().minify())
        .hasMessage("cannot locate cluster c");
    assertThatThrownBy(() -> config.toBuilder().user("u", null).build().minify())
        .hasMessage("cannot locate user u");
  }

  /** TestFlattenSuccess; that a file cannot be read, and that there are both, are errors. */
  @Test
  void flatten_putsFilesIn() throws IOException {
    Files.writeString(directory.resolve("ca"), "pem");
    KubeConfig config =
        KubeConfig.read(write("clusters: [{name: c, cluster: {certificate-authority: ca}}]"));

    assertThat(config.flatten().clusters().get("c"))
        .isEqualTo(Cluster.builder().certificateAuthorityData("pem".getBytes(UTF_8)).build());
    assertThatThrownBy(
            () ->
                KubeConfig.read(
                        write(
                            "users: [{name: u, user: {client-key: none, client-key-data: QQ==}}]"))
                    .flatten())
        .hasMessageEndingWith("has both client-key and client-key-data: remove one");
    assertThatThrownBy(
            () -> KubeConfig.read(write("users: [{name: u, user: {client-key: none}}]")).flatten())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("client-key " + directory.resolve("none") + " cannot be read");
  }

  /** TestShortenSuccess, TestRedactSecrets. */
  @Test
  void shorten_showsNoSecret() {
    KubeConfig config =
        KubeConfig.parse(
            """
            clusters: [{name: c, cluster: {server: "https://h", certificate-authority-data: U0VD}}]
            users:
            - {name: u, user: {token: SEC, client-certificate-data: U0VD, client-key-data: U0VD}}
            - {name: v, user: {username: me, password: SEC, as: jane}}
            - {name: w, user: {auth-provider: {name: oidc, config: {id-token: SEC, client-id: i}}}}
            - {name: x, user: {exec: {command: p, env: [{name: E, value: SEC}]}}}
            """);

    String shown = config.shorten().toYaml();

    assertThat(shown)
        .doesNotContain("SEC", "U0VD")
        .contains("https://h", "DATA+OMITTED", "token: REDACTED", "username: me", "as: jane")
        .contains("password: REDACTED", "id-token: REDACTED", "client-id: i", "value: REDACTED");
    assertThat(config.toYaml()).contains("SEC");
  }

  /** Where kubectl, which reads YAML 1.1, is generous. */
  @Test
  void parse_isAsGenerousAsKubectl() {
    assertThat(
            KubeConfig.parse("clusters: [{name: c, cluster: {insecure-skip-tls-verify: yes}}]")
                .clusters()
                .get("c")
                .insecureSkipTlsVerify())
        .isTrue();
    assertThat(KubeConfig.parse("current-context: a\ncurrent-context: b").currentContext())
        .isEqualTo("b");
    assertThat(KubeConfig.parse("current-context: a\n---\ncurrent-context: b").currentContext())
        .isEqualTo("a");
    assertThat(KubeConfig.parse("clusters: [null]\nusers: [{}]").clusters()).containsOnlyKeys("");
  }

  /* --------------- What is wrong, and where --------------- */

  static Stream<Arguments> malformed() {
    return Stream.of(
        Arguments.of("clusters: [", "the kubeconfig, line 1, column 12 (document 1): "),
        Arguments.of("a: 1\nb: {c\nd: 2", "the kubeconfig, line 3, column 2 (document 1): "),
        Arguments.of("a: \"x\nb", "the kubeconfig, line 2, column 2 (document 1): "),
        Arguments.of("\tx: 1", "the kubeconfig, line 1, column 1 (document 1): "),
        Arguments.of("kind: Pod", "the kubeconfig: has kind Pod, but a kubeconfig has kind Config"),
        Arguments.of(
            "apiVersion: v2",
            "the kubeconfig: has apiVersion v2, but a kubeconfig has apiVersion v1"),
        Arguments.of("just text", "the kubeconfig: it is text, but must be a mapping"),
        Arguments.of("- a", "the kubeconfig: it is a list, but must be a mapping"),
        Arguments.of("clusters: x", "the kubeconfig: clusters is text, but must be a list"),
        Arguments.of("clusters: [x]", "the kubeconfig: clusters[0] is text, but must be a mapping"),
        Arguments.of(
            "clusters: [{}, {}]", "the kubeconfig: clusters[1] is the second one without a name"),
        Arguments.of("users: [{name: 7}]", "the kubeconfig: users[0].name is a number, but must"),
        Arguments.of(
            "contexts: {a: {}}", "the kubeconfig: contexts is a mapping, but must be a list"),
        Arguments.of("current-context: {}", "the kubeconfig: current-context is a mapping, but"),
        Arguments.of(
            "users: [{name: u, user: []}]",
            "the kubeconfig: users[0].user is a list, but must be a mapping"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void parse_ofSomethingElse_saysWhere(String text, String message) {
    assertThatThrownBy(() -> KubeConfig.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  /**
   * TestDuplicateClusterName, TestDuplicateContextName, TestDuplicateUserName,
   * TestDuplicateExtensionName.
   */
  @Test
  void parse_ofTwoOfOneName_isRefused() {
    for (String list : List.of("clusters", "users", "contexts", "extensions")) {
      assertThatThrownBy(() -> KubeConfig.parse(list + ": [{name: a}, {name: b}, {name: a}]"))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "the kubeconfig: "
                  + list
                  + "[2] is the second one named \"a\": rename or remove one of the two");
    }
  }

  @Test
  void fields_ofTheWrongType_areNamed() {
    KubeConfig config =
        KubeConfig.parse(
            """
            clusters:
            - name: c
              cluster: {server: 1, insecure-skip-tls-verify: "maybe", certificate-authority-data: "%"}
            users:
            - name: u
              user: {token: 123456, as-groups: [a, 1], as-user-extra: {k: v}}
            """);
    Cluster cluster = config.clusters().get("c");
    AuthInfo user = config.users().get("u");

    assertThatThrownBy(cluster::server)
        .hasMessage(
            "the kubeconfig: clusters[0].cluster.server is a number, but must be text: put it in"
                + " quotes");
    assertThatThrownBy(cluster::insecureSkipTlsVerify)
        .hasMessage(
            "the kubeconfig: clusters[0].cluster.insecure-skip-tls-verify is text, but must be true"
                + " or false");
    assertThatThrownBy(cluster::certificateAuthorityData)
        .hasMessage("the kubeconfig: clusters[0].cluster.certificate-authority-data is not base64");
    assertThatThrownBy(user::token)
        .hasMessageStartingWith("the kubeconfig: users[0].user.token is a number, but must be text")
        .hasMessageNotContaining("123456");
    assertThatThrownBy(user::impersonateGroups)
        .hasMessageStartingWith("the kubeconfig: users[0].user.as-groups[1] is a number");
    assertThatThrownBy(user::impersonateUserExtra)
        .hasMessageStartingWith("the kubeconfig: users[0].user.as-user-extra.k is text");
  }

  @Test
  void read_ofWhatIsNoFile_saysSo() {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> KubeConfig.read(missing))
        .isInstanceOf(ConfigException.class)
        .hasMessage("there is no kubeconfig " + missing);
    assertThatThrownBy(() -> KubeConfig.read(directory))
        .isInstanceOf(ConfigException.class)
        .hasMessage("cannot read kubeconfig " + directory + ": it is a directory");
  }

  @Test
  void extensions_areSetAndRemoved() {
    KubeConfig config =
        KubeConfig.parse(FULL).toBuilder()
            .extension("mine", Map.of("a", 1))
            .preferences(Map.of("colors", false))
            .cluster("d", Cluster.builder().extension("e", "f").build())
            .user("d", AuthInfo.builder().extension("e", "g").build())
            .context("d", Context.builder().extension("e", "h").build())
            .build();

    KubeConfig read = KubeConfig.parse(config.toYaml());

    assertThat(read.extension("mine")).isEqualTo(Map.of("a", 1L));
    assertThat(read.extension("none")).isNull();
    assertThat(read.preferences()).isEqualTo(Map.of("colors", false));
    assertThat(read.clusters().get("c").extension("x")).isEqualTo(Map.of("a", "b"));
    assertThat(read.clusters().get("d").extension("e")).isEqualTo("f");
    assertThat(read.users().get("d").extension("e")).isEqualTo("g");
    assertThat(read.contexts().get("d").extension("e")).isEqualTo("h");
    assertThat(read.clusters().get("c").toBuilder().extension("x", null).build().tree().fields())
        .doesNotContainKey("extensions");
  }
}
