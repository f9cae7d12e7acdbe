package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import mockwebserver3.MockResponse;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people read when something is wrong: what failed, where it was configured, and what to do.
 */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
final class BadInputTest {

  @TempDir private Path directory;

  /** Loads a kubeconfig and makes one request, and returns what is said then. */
  private String said(String kubeconfig) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("config"), kubeconfig);
    RestConfig config;
    try {
      config = KubeConfigLoader.builder().file(file).build().load();
    } catch (KubernetesException e) {
      return message(e);
    }
    return said(config);
  }

  private String said(RestConfig config) throws InterruptedException {
    try (RESTClient client = RESTClient.create(config)) {
      client.get().absPath("/x").maxRetries(0).execute();
      return "nothing";
    } catch (KubernetesException e) {
      return message(e);
    }
  }

  private String message(KubernetesException e) {
    return String.valueOf(e.getMessage()).replace(directory.toString(), "DIR");
  }

  private static String kubeconfig(String cluster, String user) {
    return """
    current-context: x
    clusters: [{name: c, cluster: {%s}}]
    users: [{name: u, user: {%s}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    """
        .formatted(cluster, user);
  }

  private static String plugin(String command, String script) {
    return kubeconfig(
        "server: 'https://127.0.0.1:1'",
        "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: '"
            + command
            + "', args: [-c, '"
            + script
            + "']}");
  }

  @Test
  void kubeconfig_saysWhereItIsWrong() throws Exception {
    assertThat(said("clusters: [\n")).startsWith("kubeconfig DIR/config, line 2, column 1: ");
    assertThat(said("clusters: 7"))
        .isEqualTo("kubeconfig DIR/config: clusters is a number, but must be a list without gaps");
    assertThat(said(kubeconfig("server: s", "").replace("text: x", "text: y")))
        .isEqualTo("context \"y\" does not exist: the kubeconfig has x");
    assertThat(said(kubeconfig("server: 'https://h', certificate-authority: ca", "tokenFile: t")))
        .isEqualTo(
            "invalid configuration: cluster \"c\": certificate-authority DIR/ca cannot be read");
    assertThat(said(kubeconfig("server: 'https://h'", "tokenFile: token")))
        .startsWith("cannot read the bearer token file DIR/token: ");
    assertThat(said(kubeconfig("server: 'https://h'", "exec: {command: p}")))
        .startsWith("invalid configuration: user \"u\": exec has the apiVersion \"\", but must");
  }

  @Test
  void plugin_saysWhereItIsConfigured() throws Exception {
    String who = " (of user \"u\" in kubeconfig DIR/config) ";
    assertThat(said(plugin("no-such-plugin", "")))
        .startsWith(
            "credential plugin no-such-plugin" + who + "cannot be run: no folder of PATH has it");
    assertThat(said(plugin("bin/none", "")))
        .startsWith(
            "credential plugin DIR/bin/none"
                + who
                + "cannot be run: there is no file DIR/bin/none");
    assertThat(said(plugin("sh", "exit 3")))
        .isEqualTo(
            "credential plugin sh"
                + who
                + "failed with exit code 3: see what it wrote to standard error, or run it by"
                + " hand");
    assertThat(said(plugin("sh", "echo garbage")))
        .isEqualTo("credential plugin sh" + who + "answered 8 bytes that are no JSON object");
    assertThat(said(plugin("sh", "true")))
        .isEqualTo("credential plugin sh" + who + "answered nothing on its standard output");
  }

  @Test
  void server_saysWhatAnswersInItsPlace() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String nobody = "http://127.0.0.1:" + port;
    assertThat(said(RestConfig.builder(nobody).build()))
        .isEqualTo(
            "GET "
                + nobody
                + "/x: nothing listens at "
                + nobody
                + ": is the API server up, and is this its address?");
    try (RawServer plain = RawServer.start(RawServer.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      assertThat(said(RestConfig.builder("https://127.0.0.1:" + plain.port()).build()))
          .endsWith("does not speak TLS: if it is meant to be so, use an http URL");
    }
    HeldCertificate expired =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .addSubjectAlternativeName("127.0.0.1")
            .validityInterval(0, 1000)
            .build();
    try (TestServer old = TestServer.start(TestServer.Wire.HTTP_2, expired)) {
      assertThat(said(old.config().build())).contains("the server's certificate has expired");
      assertThat(said(RestConfig.builder(old.url()).build()))
          .endsWith(
              "the server's certificate is not signed by an authority that is trusted (those of the"
                  + " JDK, as no certificate authority is configured)");
    }
  }

  @Test
  void answer_saysWhatItIsInstead() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1)) {
      server.always(
          new MockResponse.Builder()
              .code(502)
              .setHeader("Content-Type", "text/html")
              .body("<html>Bad Gateway</html>")
              .build());
      assertThat(said(server.config().build())).contains("Bad Gateway");
      server.always(
          new MockResponse.Builder().code(302).setHeader("Location", "https://login/").build());
      assertThat(said(server.config().build()))
          .isEqualTo(
              "the server responded with the status code 302 but did not return more information:"
                  + " it redirects to https://login/, which is not followed; is the server URL"
                  + " right?");
    }
  }
}
