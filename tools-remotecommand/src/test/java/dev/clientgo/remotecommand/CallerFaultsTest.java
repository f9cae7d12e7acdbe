package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.PortProgram;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.remotecommand.portforward.ForwardedPort;
import dev.clientgo.remotecommand.portforward.PortForward;
import dev.clientgo.remotecommand.portforward.PortForwarder;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each callback of a caller throws what it likes: the run ends with an error, all else continues.
 */
@Timeout(60)
final class CallerFaultsTest {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    server.kubelet().runPod("default", "p", "c");
    server.kubelet().container("c", ContainerProgram.localProcess());
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static RemoteCommand shell(String script) {
    return RemoteCommand.exec(client, "default", "p", "sh", "-c", script);
  }

  private static OutputStream failing(Fault fault) {
    return new OutputStream() {
      @Override
      public void write(int b) {
        fault.fail();
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void run_whoseOutputFails_throwsItsError(Fault fault) {
    OutputStream none = OutputStream.nullOutputStream();
    assertThatThrownBy(() -> shell("echo x; sleep 600").run(null, failing(fault), none))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a stream of the caller has failed");
    assertThatThrownBy(() -> shell("echo x >&2; sleep 600").run(null, none, failing(fault)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a stream of the caller has failed");
  }

  @ParameterizedTest
  @EnumSource
  void run_whoseInputFails_throwsItsError(Fault fault) {
    InputStream input =
        new InputStream() {
          @Override
          public int read() {
            return fault.fail();
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            return fault.fail();
          }
        };
    OutputStream none = OutputStream.nullOutputStream();

    assertThatThrownBy(() -> shell("cat").run(input, none, none))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a stream of the caller has failed");
  }

  @ParameterizedTest
  @EnumSource
  void copy_whoseListenerFails_throwsItsError(Fault fault, @TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "text");
    PodCopy copy = PodCopy.of(client, "default", "p").onProgress(progress -> fault.fail());

    Class<? extends Throwable> expected = fault.thrown().getClass();
    Path copied = directory.resolve("copied");
    assertThatThrownBy(() -> copy.upload(file, copied.toString())).isInstanceOf(expected);
    assertThatThrownBy(() -> copy.download(file.toString(), copied)).isInstanceOf(expected);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(n -> n.endsWith("part"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void forward_whoseListenerFails_goesOn(Fault fault) throws Exception {
    server.kubelet().port(80, PortProgram.echo());
    PortForwarder.Listener listener =
        new PortForwarder.Listener() {
          @Override
          public void opened(ForwardedPort port, SocketAddress address) {
            fault.fail();
          }

          @Override
          public void closed(ForwardedPort port, SocketAddress address) {
            fault.fail();
          }
        };
    PortForward forward = PortForward.toPod(client, "default", "p").withListener(listener);
    try (PortForwarder forwarder = forward.listen(":80")) {
      for (int i = 0; i < 3; i++) {
        try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), forwarder.localPort(80))) {
          socket.getOutputStream().write('x');
          assertThat(socket.getInputStream().read()).isEqualTo('x');
        }
      }
      assertThat(forwarder.problem()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void programsOfContainersAndPorts_thatFail_areErrors(Fault fault) throws Exception {
    try (EmbeddedApiServer other = EmbeddedApiServer.start();
        RESTClient otherClient = RESTClient.create(other.restConfig())) {
      other.kubelet().runPod("default", "p", "c");
      other.kubelet().container("c", io -> fault.fail());
      other.kubelet().port(80, connection -> fault.fail());
      RemoteCommand command = RemoteCommand.exec(otherClient, "default", "p", "x");

      assertThatThrownBy(command::run)
          .isInstanceOf(ApiStatusException.class)
          .hasMessageContaining("error executing command in container");
      try (Socket socket = PortForward.toPod(otherClient, "default", "p").connect(80)) {
        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("error forwarding port 80");
      }
    }
  }

  /** A program that ignores interruptions or reads a silent process must not hold the server up. */
  @Test
  void close_whileCommandsRun_leavesNoThread() throws Exception {
    EmbeddedApiServer other = EmbeddedApiServer.start();
    List<RemoteProcess> processes = new ArrayList<>();
    try (RESTClient otherClient = RESTClient.create(other.restConfig())) {
      other.kubelet().runPod("default", "p", "c");
      other.kubelet().container("c", ContainerProgram.localProcess());
      for (int i = 0; i < 10; i++) {
        String rest = i % 2 == 0 ? "sleep 600" : "cat /dev/zero"; // Silent, or ever writing.
        RemoteProcess process =
            RemoteCommand.exec(otherClient, "default", "p", "sh", "-c", "echo x; exec " + rest)
                .withInput()
                .start();
        processes.add(process);
        assertThat(process.inputStream().read()).isEqualTo('x');
      }
    }
    other.close();
    processes.forEach(RemoteProcess::close);

    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("envtest-container"));
    // The threads that copy its streams end with the process.
    Poll.every(Duration.ofMillis(20))
        .immediately()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("envtest-process")));
  }
}
