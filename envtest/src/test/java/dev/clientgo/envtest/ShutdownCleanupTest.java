package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is terminated before it closes its server leaves no process and no file. */
@Timeout(300)
final class ShutdownCleanupTest {

  @TempDir private Path folder;

  /** Starts a server and waits. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      KubeApiServer server = KubeApiServer.start();
      System.out.println("ready " + server.url());
      Thread.currentThread().join();
    }
  }

  @BeforeAll
  static void canStart() {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<ProcessHandle> children(Process program) {
    return program.toHandle().descendants().toList();
  }

  private void endAndLookFor(Process program, List<ProcessHandle> children) throws Exception {
    program.destroy(); // SIGTERM
    assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(program.exitValue()).isEqualTo(128 + 15);
    Waiting.until(
        "its processes have ended", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void sigterm_whileTheServerRuns_endsItsProcesses() throws Exception {
    Process program = start();
    try (BufferedReader output = program.inputReader()) {
      assertThat(output.readLine()).startsWith("ready https://");
      List<ProcessHandle> children = children(program);
      assertThat(children).hasSize(2);

      endAndLookFor(program, children);
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void sigterm_whileTheServerStarts_endsItsProcesses() throws Exception {
    Process program = start();
    try {
      Waiting.until("etcd has started", () -> !children(program).isEmpty());

      endAndLookFor(program, children(program));
    } finally {
      program.destroyForcibly();
    }
  }
}
