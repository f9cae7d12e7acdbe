package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kubeconfigs, and what a server sees of them: the values expected, and that {@code kubectl get
 * --raw} sends the same, if there is a kubectl in the folder that {@code KUBEBUILDER_ASSETS} names.
 */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class KubectlEffectTest {

  @TempDir private Path directory;

  private static Arguments row(String name, String cluster, String user, String... expected) {
    return argumentSet(name, cluster, user, List.of(expected));
  }

  static Stream<Arguments> kubeconfigs() {
    String server = "server: 'URL', certificate-authority-data: CA";
    return Stream.of(
        row("nobody with a certificate", server, "client-certificate: crt, client-key: key"),
        row("a token", server, "token: abc", "authorization: Bearer abc"),
        row("a token file", server, "tokenFile: token", "authorization: Bearer from-file"),
        row(
            "a token and a token file",
            server,
            "token: abc, tokenFile: token",
            "authorization: Bearer from-file"),
        row("a password", server, "username: me, password: 'p:w'", "authorization: Basic bWU6cDp3"),
        row("a name alone", server, "username: me", "authorization: Basic bWU6"),
        row(
            "impersonation",
            server,
            "token: abc, as: jane, as-uid: '7', as-groups: [a, b], as-user-extra: {'x/Y z': [v, w]}",
            "authorization: Bearer abc",
            "impersonate-extra-x%2fy%20z: v",
            "impersonate-extra-x%2fy%20z: w",
            "impersonate-group: a",
            "impersonate-group: b",
            "impersonate-uid: 7",
            "impersonate-user: jane"),
        row(
            "a plugin",
            server,
            "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh,"
                + " args: [-c, 'cat plugin']}",
            "authorization: Bearer from-plugin"),
        row(
            "a plugin beside a token",
            server,
            "token: abc, exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never,"
                + " command: no-such-plugin}",
            "authorization: Bearer abc"),
        row(
            "no check of the certificate",
            "server: 'URL', insecure-skip-tls-verify: yes",
            "token: abc",
            "authorization: Bearer abc"),
        row(
            "another name of the server",
            server + ", tls-server-name: kubernetes.default.svc",
            "token: abc",
            "authorization: Bearer abc"),
        row(
            "no compression",
            server + ", disable-compression: true",
            "token: abc",
            "authorization: Bearer abc"));
  }

  @ParameterizedTest
  @MethodSource("kubeconfigs")
  void request_carriesWhatKubectlSends(String cluster, String user, List<String> expected)
      throws Exception {
    try (TestServer server =
        TestServer.start(TestServer.Wire.HTTP_2).always(TestServer.json(200, "{}"))) {
      Path config = write(server, cluster, user);
      try (RESTClient client =
          RESTClient.create(KubeConfigLoader.builder().file(config).build().load())) {
        client.get().absPath("/x").execute();
      }
      assertThat(identity(server.takeRequest())).isEqualTo(expected);

      String assets = System.getenv("KUBEBUILDER_ASSETS");
      assumeTrue(
          assets != null && Files.isExecutable(Path.of(assets, "kubectl")), "there is no kubectl");
      kubectl(Path.of(assets, "kubectl"), config);
      assertThat(identity(server.takeRequest())).isEqualTo(expected);
    }
  }

  private Path write(TestServer server, String cluster, String user) throws Exception {
    var held = new okhttp3.tls.HeldCertificate.Builder().signedBy(TestServer.AUTHORITY).build();
    Files.writeString(directory.resolve("crt"), held.certificatePem());
    Files.writeString(directory.resolve("key"), held.privateKeyPkcs8Pem());
    Files.writeString(directory.resolve("token"), "from-file\n");
    Files.writeString(
        directory.resolve("plugin"),
        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            + "\"status\":{\"token\":\"from-plugin\"}}");
    String authority =
        Base64.getEncoder().encodeToString(TestServer.AUTHORITY.certificatePem().getBytes(UTF_8));
    return Files.writeString(
        directory.resolve("config"),
        """
        current-context: x
        clusters: [{name: c, cluster: {%s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(cluster, user)
            .replace("URL", server.url())
            .replace("data: CA", "data: " + authority)
            .replace("cat plugin", "cat " + directory.resolve("plugin")));
  }

  /** Returns the headers that say who sends a request. */
  private static List<String> identity(RecordedRequest request) {
    assertThat(request.getTarget()).isEqualTo("/x");
    List<String> identity = new ArrayList<>();
    request
        .getHeaders()
        .forEach(
            header -> {
              String name = header.getFirst().toLowerCase(Locale.ROOT);
              if (name.equals("authorization") || name.startsWith("impersonate-")) {
                identity.add(name + ": " + header.getSecond());
              }
            });
    identity.sort(null);
    return identity;
  }

  private static void kubectl(Path kubectl, Path config) throws Exception {
    Process process =
        new ProcessBuilder(
                kubectl.toString(), "get", "--raw", "/x", "--kubeconfig", config.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
