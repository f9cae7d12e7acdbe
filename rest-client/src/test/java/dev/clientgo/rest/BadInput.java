package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Error messages: they say what failed, where it was configured, and what to do. In the texts DIR
 * is the folder of the kubeconfig, and PORT that of the server, or of the proxy.
 */
@Timeout(300)
abstract class BadInput {

  static final String HTTP = "GET http://127.0.0.1:PORT/x: ";
  static final String HTTPS = "GET https://127.0.0.1:PORT/x: ";

  @TempDir Path directory;
  int port;
  Timeouts timeouts = Timeouts.STANDARD;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  /** Makes something go wrong; the configuration that it returns is used for one request. */
  @FunctionalInterface
  interface Mishap {
    RestConfig prepare(BadInput test) throws Exception;
  }

  final <T extends AutoCloseable> T keep(T resource) {
    open.push(resource);
    return resource;
  }

  final RestConfig load(byte[] kubeconfig) throws IOException {
    Path file = Files.write(directory.resolve("config"), kubeconfig);
    return KubeConfigLoader.builder().file(file).build().load();
  }

  static Mishap kubeconfig(String text) {
    return test -> test.load(text.getBytes(UTF_8));
  }

  static Mishap kubeconfig(String cluster, String user) {
    return kubeconfig(
        """
        current-context: x
        clusters: [{name: c, cluster: {%s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(cluster, user));
  }

  static Mishap user(String user) {
    return kubeconfig("server: 'https://127.0.0.1:1'", user);
  }

  static Arguments row(String name, Mishap mishap, String text) {
    return argumentSet(name, mishap, text);
  }

  final RestConfig.Builder raw(String scheme, RawServer.Misbehaviour misbehaviour)
      throws IOException {
    port = keep(RawServer.start(misbehaviour)).port();
    return RestConfig.builder(scheme + "://127.0.0.1:" + port);
  }

  static Mishap raw(String scheme, String text) {
    return test -> test.raw(scheme, RawServer.send(text)).build();
  }

  final int refusing() throws IOException {
    port = keep(new RefusingPort()).number();
    return port;
  }

  final TestServer server(TestServer server) {
    port = server.mock().getPort();
    return keep(server);
  }

  /** Checks what is said of a mishap; of a text that ends like a beginning, only that. */
  final void assertExplained(Mishap mishap, String text) throws Exception {
    String said = said(mishap).replaceAll("(127\\.0\\.0\\.1:|port )" + port + "\\b", "$1PORT");

    if (text.endsWith("(") || text.endsWith(": ") || text.endsWith(", ")) {
      assertThat(said).startsWith(text); // The rest is the JDK's, or a time.
    } else {
      assertThat(said.replaceAll("NotBefore: [^)]*", "NotBefore: ")).isEqualTo(text);
    }
  }

  private String said(Mishap mishap) throws Exception {
    try {
      RestConfig config = mishap.prepare(this);
      try (RESTClient client = RESTClient.create(config, new RecordingClock(), timeouts)) {
        client.get().absPath("/x").maxRetries(0).execute().into(Unstructured.CODEC);
      }
      return "nothing";
    } catch (KubernetesException e) {
      return String.valueOf(e.getMessage()).replace(directory.toString(), "DIR");
    }
  }
}
