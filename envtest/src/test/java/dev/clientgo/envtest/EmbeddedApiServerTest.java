package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class EmbeddedApiServerTest {

  @Test
  void startAndClose_plainHttp_leavesNoThread() throws Exception {
    Set<Thread> before = threads();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient client = TestClient.of(server)) {

      assertThat(
              client
                  .post(
                      "/api/v1/namespaces/default/configmaps",
                      "{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}")
                  .text())
          .contains("\"k\":\"v\"");
      assertThat(client.get("/api/v1/namespaces/default/configmaps/a").code()).isEqualTo(200);
      try (Events events =
          client.watch("/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0")) {
        assertThat(events.next()).asString().isEqualTo("ADDED a");
        client.mergePatch("/api/v1/namespaces/default/configmaps/a", "{\"data\":{\"k\":\"2\"}}");
        Event event = events.next();
        assertThat(event).asString().isEqualTo("MODIFIED a");
        client.delete("/api/v1/namespaces/default/configmaps/a");
        assertThat(events.next()).asString().isEqualTo("DELETED a");
      }
    }
    for (Thread thread : threads()) {
      thread.join(10_000); // One may be about to end.
    }
    assertThat(before).containsAll(threads());
  }

  @Test
  void stop_keepsThePortReserved_untilRestart() throws IOException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient client = TestClient.of(server)) {
      client.post("/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'a'}}");
      int port = server.url().getPort();

      server.stop();
      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
          .isInstanceOf(ConnectException.class);
      try (ServerSocket other = new ServerSocket()) {
        other.setReuseAddress(false);
        assertThatThrownBy(
                () -> other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
            .isInstanceOf(BindException.class);
      }
      server.stop();
      server.restart();

      assertThat(server.url().getPort()).isEqualTo(port);
      assertThat(client.get("/api/v1/namespaces/default/configmaps/a").code()).isEqualTo(200);
    }
  }

  @Test
  void start_portInUse_fails() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> EmbeddedApiServer.builder().port(other.getLocalPort()).start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("cannot reserve port " + other.getLocalPort() + " of 127.0.0.1");
    }
  }

  /**
   * A process that this JVM starts has copies of all its sockets for a moment, so a listener that
   * was closed may still take its port.
   */
  @Test
  void startAndRestart_whileProcessesStart_listen() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread starter =
        new Thread(
            () -> {
              while (!ended.get()) {
                startsAProcess();
              }
            });
    starter.start();
    try {
      for (int i = 0; i < 200; i++) {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
          server.stop();
          server.restart();
        }
      }
    } finally {
      ended.set(true);
      starter.join();
    }
  }

  private static void startsAProcess() {
    try {
      new ProcessBuilder("true").start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().contains("MockWebServer") || t.getName().contains("envtest"))
        .collect(Collectors.toSet());
  }
}
