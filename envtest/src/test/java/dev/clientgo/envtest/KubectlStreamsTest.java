package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.Kubectl.Result;
import dev.clientgo.envtest.kubelet.ContainerLog;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.kubelet.PortProgram;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real kubectl talks to containers of the embedded server. */
@Timeout(300)
final class KubectlStreamsTest {

  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir private static Path folder;
  private static EmbeddedApiServer server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    assumeTrue(Kubectl.isAvailable(), "no kubectl in KUBEBUILDER_ASSETS");
    server = EmbeddedApiServer.start();
    kubectl = Kubectl.of(server, folder);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void runPod() {
    server.reset();
    FakeKubelet kubelet = server.kubelet();
    kubelet.runPod("default", "p", "c");
    kubelet.container("c", ContainerProgram.localProcess());
  }

  @Test
  void exec_hasInputOutputAndExitCode() throws Exception {
    String large = "0123456789\n".repeat(100_000);

    assertThat(kubectl.runWithInput(large, "exec", "-i", "p", "--", "cat"))
        .isEqualTo(new Result(0, large));
    assertThat(kubectl.run("exec", "p", "--", "sh", "-c", "echo out; echo err >&2; exit 7"))
        .satisfies(result -> assertThat(result.status()).isEqualTo(7))
        .satisfies(
            result ->
                assertThat(result.output())
                    .contains("out\n")
                    .contains("err\n")
                    .contains("command terminated with exit code 7"));
    assertThat(server.requests(request -> request.matches("create", "pods/exec"))).isEmpty();
  }

  @Test
  void exec_thatFails_hasTheTextOfTheServer() throws Exception {
    server.kubelet().runPod("default", "q", "unknown");

    assertThat(kubectl.run("exec", "q", "--", "x").output())
        .contains("the container unknown of the pod default/q has no program");
    assertThat(kubectl.run("exec", "none", "--", "x").output()).contains("pods \"none\" not found");
  }

  @Test
  void exec_withATerminal_hasOne() throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "no program script, which makes a terminal");
    server
        .kubelet()
        .container(
            "c",
            io -> {
              io.print("terminal: " + io.isTerminal() + "\n");
              io.stderr().write("error\n".getBytes(UTF_8));
              return 3;
            });

    String command =
        "%s --kubeconfig=%s exec -it p -- sh".formatted(kubectl.binary(), kubectl.kubeconfig());
    Process process =
        new ProcessBuilder(SCRIPT.toString(), "-qec", command, "/dev/null")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(output).contains("terminal: true").contains("error");
    assertThat(process.waitFor()).isEqualTo(3);
  }

  @Test
  void attach_runsTheProgram() throws Exception {
    server.kubelet().container("c", ContainerProgram.echo());

    assertThat(kubectl.runWithInput("hello\n", "attach", "-i", "-q", "p").output())
        .contains("hello\n");
  }

  @Test
  void logs_areFollowed_andSelected() throws Exception {
    ContainerLog log = server.kubelet().log("default", "p", "c");
    log.line("one");
    Process following = kubectl.start("logs", "-f", "p");
    try (BufferedReader lines = following.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("one");
      log.line("two");
      assertThat(lines.readLine()).isEqualTo("two");
      log.end();
      assertThat(lines.readLine()).isNull();
      assertThat(following.waitFor()).isZero();
    } finally {
      following.destroyForcibly();
    }

    server.kubelet().runPod(labelled("a"));
    server.kubelet().runPod(labelled("b"));
    server.kubelet().log("default", "a", "c").line("from a");
    server.kubelet().log("default", "b", "c").line("from b");
    assertThat(kubectl.run("logs", "-l", "app=x", "--prefix").output().lines())
        .containsExactlyInAnyOrder("[pod/a/c] from a", "[pod/b/c] from b");
  }

  private static Unstructured labelled(String name) {
    return Unstructured.parseYaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: "
                + name
                + ", namespace: default, labels: {app: x}}, spec: {containers: [{name: c}]}}")
        .get(0);
  }

  @Test
  void portForward_carriesConnections() throws Exception {
    server.kubelet().port(8080, PortProgram.echo());
    Process forwarding = kubectl.start("port-forward", "pod/p", ":8080");
    try (BufferedReader lines = forwarding.inputReader()) {
      Matcher address =
          Pattern.compile("127\\.0\\.0\\.1:([0-9]+) -> 8080").matcher(lines.readLine());
      assertThat(address.find()).isTrue();
      for (int i = 0; i < 3; i++) {
        byte[] sent = ("connection " + i + "\n").repeat(10_000).getBytes(UTF_8);
        try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address.group(1)))) {
          Thread sender = new Thread(() -> send(socket, sent), "sender");
          sender.start();
          assertThat(socket.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
          sender.join();
          socket.shutdownOutput();
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
      }
    } finally {
      forwarding.destroy();
      forwarding.waitFor();
    }
  }

  private static void send(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void cp_copiesBothWays(@TempDir Path work) throws Exception {
    String large = "0123456789\n".repeat(100_000);
    Path sent = Files.writeString(work.resolve("sent"), large);
    Path inPod = Files.createDirectory(work.resolve("pod"));
    Path received = work.resolve("received");

    Result to = kubectl.run("cp", sent.toString(), "p:" + inPod.resolve("file"));
    assertThat(to.status()).as(to.output()).isZero();
    assertThat(inPod.resolve("file")).hasContent(large);
    Result from = kubectl.run("cp", "p:" + inPod.resolve("file"), received.toString());
    assertThat(from.status()).as(from.output()).isZero();
    assertThat(received).hasContent(large);
  }
}
