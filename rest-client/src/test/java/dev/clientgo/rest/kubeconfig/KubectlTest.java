package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.json.JsonReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kubeconfigs merged: the values expected, and that {@code kubectl config view --flatten} says the
 * same, if there is a kubectl in the folder that {@code KUBEBUILDER_ASSETS} names.
 */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class KubectlTest {

  @TempDir private Path directory;

  /** Files, and what they are together; lines with a path are relative to the files. */
  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.argumentSet(
            "every field of a cluster",
            List.of(
                """
                clusters:
                - name: c
                  cluster:
                    server: https://h:6443/prefix
                    tls-server-name: name
                    certificate-authority: ca.crt
                    proxy-url: socks5://proxy:1080
                    disable-compression: true
                - name: d
                  cluster: {server: "https://d", insecure-skip-tls-verify: true}
                """),
            Map.of(
                "clusters.c.server", "https://h:6443/prefix",
                "clusters.c.tls-server-name", "name",
                "clusters.c.certificate-authority-data", "Y2E=",
                "clusters.c.proxy-url", "socks5://proxy:1080",
                "clusters.c.disable-compression", "true",
                "clusters.d.server", "https://d",
                "clusters.d.insecure-skip-tls-verify", "true")),
        Arguments.argumentSet(
            "every field of a user and of a context",
            List.of(
                """
                current-context: x
                users:
                - name: u
                  user:
                    client-certificate: client.crt
                    client-key-data: a2V5
                    token: t
                    as: jane
                    as-uid: "7"
                    as-groups: [a, b]
                    as-user-extra: {scopes: [view, edit]}
                - name: v
                  user: {username: me, password: p, tokenFile: sub/token}
                contexts:
                - name: x
                  context: {cluster: c, user: u, namespace: ns}
                """),
            Map.ofEntries(
                Map.entry("current-context", "x"),
                Map.entry("users.u.client-certificate-data", "Y2VydA=="),
                Map.entry("users.u.client-key-data", "a2V5"),
                Map.entry("users.u.token", "t"),
                Map.entry("users.u.as", "jane"),
                Map.entry("users.u.as-uid", "7"),
                Map.entry("users.u.as-groups", "[a, b]"),
                Map.entry("users.u.as-user-extra.scopes", "[view, edit]"),
                Map.entry("users.v.username", "me"),
                Map.entry("users.v.password", "p"),
                Map.entry("users.v.tokenFile", "DIR/sub/token"),
                Map.entry("contexts.x.cluster", "c"),
                Map.entry("contexts.x.user", "u"),
                Map.entry("contexts.x.namespace", "ns"))),
        Arguments.argumentSet(
            "a plugin: a bare name stays, a path is resolved",
            List.of(
                """
                users:
                - name: u
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/v1
                      command: bin/login
                      args: [x]
                      env: [{name: NAME, value: val}]
                      interactiveMode: Never
                      provideClusterInfo: true
                      installHint: hint
                - name: v
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/v1
                      command: login
                      interactiveMode: Always
                      provideClusterInfo: false
                """),
            Map.ofEntries(
                Map.entry("users.u.exec.apiVersion", "client.authentication.k8s.io/v1"),
                Map.entry("users.u.exec.command", "DIR/bin/login"),
                Map.entry("users.u.exec.args", "[x]"),
                Map.entry("users.u.exec.env", "[{name=NAME, value=val}]"),
                Map.entry("users.u.exec.interactiveMode", "Never"),
                Map.entry("users.u.exec.provideClusterInfo", "true"),
                Map.entry("users.u.exec.installHint", "hint"),
                Map.entry("users.v.exec.apiVersion", "client.authentication.k8s.io/v1"),
                Map.entry("users.v.exec.command", "login"),
                Map.entry("users.v.exec.interactiveMode", "Always"),
                Map.entry("users.v.exec.provideClusterInfo", "false"))),
        Arguments.argumentSet(
            "the first file wins, entry by entry and as a whole",
            List.of(
                """
                clusters: [{name: c, cluster: {server: "https://one"}}]
                users: [{name: u, user: {token: one}}]
                """,
                """
                current-context: two
                clusters:
                - {name: c, cluster: {server: "https://two", tls-server-name: two}}
                - {name: d, cluster: {server: "https://two-d"}}
                users: [{name: u, user: {token: two, as: two}}]
                contexts: [{name: x, context: {cluster: d, user: u}}]
                """,
                "current-context: three"),
            Map.of(
                "current-context", "two",
                "clusters.c.server", "https://one",
                "clusters.d.server", "https://two-d",
                "users.u.token", "one",
                "contexts.x.cluster", "d",
                "contexts.x.user", "u")),
        Arguments.argumentSet(
            "empty files and empty lists",
            List.of("", "clusters: []\nusers: null\n", "current-context: ''\n"),
            Map.of()),
        Arguments.argumentSet(
            "JSON is YAML, and an anchor is what it stands for",
            List.of(
                "{\"clusters\": [{\"name\": \"c\", \"cluster\": {\"server\": \"https://h\"}}]}",
                "users:\n- name: u\n  user: &me {token: t}\n- name: v\n  user: *me\n"),
            Map.of("clusters.c.server", "https://h", "users.u.token", "t", "users.v.token", "t")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void merged_isWhatIsExpectedAndWhatKubectlSays(List<String> files, Map<String, String> expected)
      throws Exception {
    Files.writeString(directory.resolve("ca.crt"), "ca");
    Files.writeString(directory.resolve("client.crt"), "cert");
    List<String> paths = new ArrayList<>();
    for (String file : files) {
      paths.add(Files.writeString(directory.resolve("config" + paths.size()), file).toString());
    }
    String list = String.join(File.pathSeparator, paths);

    KubeConfig merged = KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build().kubeConfig();

    assertThat(values(merged.flatten())).isEqualTo(new TreeMap<>(expected));
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    assumeTrue(
        assets != null && Files.isExecutable(Path.of(assets, "kubectl")), "there is no kubectl");
    // It shows the paths of files that it does not put in as they are written.
    Map<String, String> shown = new TreeMap<>(expected);
    shown.replaceAll((path, value) -> value.replace("DIR/", ""));
    assertThat(values(KubeConfig.parse(kubectl(Path.of(assets, "kubectl"), list, "--flatten"))))
        .isEqualTo(shown);
  }

  /** What {@code kubectl config view} shows of the current context, and shows of secrets. */
  static Stream<Arguments> views() {
    String config =
        """
        current-context: x
        clusters:
        - {name: c, cluster: {server: "https://h", certificate-authority-data: Y2E=}}
        - {name: d, cluster: {server: "https://d"}}
        users:
        - name: u
          user: {token: t, username: me, password: p, client-key-data: a2V5, as: jane}
        - {name: v, user: {token: t}}
        contexts:
        - {name: x, context: {cluster: c, user: u, namespace: ns}}
        - {name: z, context: {cluster: d, user: v}}
        """;
    Map<String, String> minified =
        Map.of(
            "current-context", "x",
            "clusters.c.server", "https://h",
            "clusters.c.certificate-authority-data", "Y2E=",
            "users.u.token", "t",
            "users.u.username", "me",
            "users.u.password", "p",
            "users.u.client-key-data", "a2V5",
            "users.u.as", "jane",
            "contexts.x.cluster", "c",
            "contexts.x.user", "u");
    Map<String, String> raw = new TreeMap<>(minified);
    raw.put("contexts.x.namespace", "ns");
    Map<String, String> shown = new TreeMap<>(raw);
    shown.put("clusters.c.certificate-authority-data", "DATA+OMITTED");
    shown.put("users.u.client-key-data", "DATA+OMITTED");
    shown.put("users.u.token", "REDACTED");
    shown.put("users.u.password", "REDACTED");
    return Stream.of(
        Arguments.argumentSet("with secrets", config, List.of("--minify", "--raw"), raw),
        Arguments.argumentSet("without", config, List.of("--minify"), shown));
  }

  @ParameterizedTest
  @MethodSource("views")
  void minified_isWhatIsExpectedAndWhatKubectlSays(
      String text, List<String> options, Map<String, String> expected) throws Exception {
    String file = Files.writeString(directory.resolve("config"), text).toString();
    KubeConfig config =
        KubeConfigLoader.builder(Map.of("KUBECONFIG", file)).build().kubeConfig().minify();

    assertThat(values(options.contains("--raw") ? config : config.shorten())).isEqualTo(expected);
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    assumeTrue(
        assets != null && Files.isExecutable(Path.of(assets, "kubectl")), "there is no kubectl");
    String said = kubectl(Path.of(assets, "kubectl"), file, options.toArray(String[]::new));
    assertThat(values(KubeConfig.parse(said))).isEqualTo(expected);
  }

  private String kubectl(Path kubectl, String list, String... options)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(kubectl.toString(), "config", "view", "-o", "json"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("KUBECONFIG", list);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String json = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(JsonReader.of(json.getBytes(UTF_8)).nextTree()).isInstanceOf(Map.class);
    return json;
  }

  /** Returns what is set, by path. It leaves out what kubectl writes although it is not set. */
  private Map<String, String> values(KubeConfig config) {
    Map<String, String> values = new TreeMap<>();
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    config.clusters().forEach((name, value) -> all.put("clusters." + name, value.tree().fields()));
    config.users().forEach((name, value) -> all.put("users." + name, value.tree().fields()));
    config.contexts().forEach((name, value) -> all.put("contexts." + name, value.tree().fields()));
    all.forEach((path, fields) -> add(values, path, fields));
    if (config.currentContext() != null) {
      values.put("current-context", config.currentContext());
    }
    return values;
  }

  private void add(Map<String, String> values, String path, Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, field) -> add(values, path + "." + key, field));
    } else if (value != null) {
      values.put(path, value.toString().replace(directory.toString(), "DIR"));
    }
  }
}
