package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two managers in processes of their own, one of which is stopped and continues. */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the test reads /proc")
final class ManagerProcessTest {

  @TempDir private Path folder;

  /** A process, and the lines that it prints. */
  private static final class Replica implements AutoCloseable {

    private final Process process;
    final BlockingQueue<String> output = new LinkedBlockingQueue<>();

    Replica(Path kubeconfig) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  TermProgram.class.getName(),
                  kubeconfig.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      Thread reader = new Thread(this::read, "output");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().forEach(output::add);
      } catch (IOException | UncheckedIOException e) {
        // The process was killed.
      }
    }

    String next() throws InterruptedException {
      String line = output.poll(60, TimeUnit.SECONDS);
      return line == null ? "nothing within 60 s" : line;
    }

    private void signal(String signal) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
    }

    /** Stops the process; returns when all of its threads have stopped and its output is read. */
    void pause() throws IOException, InterruptedException {
      signal("STOP");
      Eventually.await("the stop", this::isStopped);
      int before;
      do {
        before = output.size();
        Clock.system().sleep(Duration.ofMillis(200)); // The reader reads what is in the pipe.
      } while (output.size() != before);
    }

    private boolean isStopped() {
      Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
        for (Path thread : threads) {
          String stat = Files.readString(thread.resolve("stat"));
          if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
            return false;
          }
        }
        return true;
      } catch (IOException e) {
        return false; // A thread has ended meanwhile.
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Twenty requests that wait in the queue of the stopped leader are due when it continues. */
  @Test
  void leader_thatWasStopped_beginsNoReconcileWhenItGoesOn() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.writeKubeconfig(kubeconfig);
      for (int i = 0; i < 20; i++) {
        client
            .resource(ConfigMap.TYPE)
            .create(ConfigMap.of("default", "x" + i, m -> m.data(Map.of())));
      }
      try (Replica first = new Replica(kubeconfig)) {
        assertThat(first.next()).isEqualTo("reconciles");
        try (Replica second = new Replica(kubeconfig)) {
          first.pause();
          first.output.clear();
          assertThat(second.next()).isEqualTo("reconciles");

          first.signal("CONT");

          String next = first.next();
          // The signal may have stopped the only worker in the middle of a reconcile.
          assertThat(next.equals("reconciles") ? first.next() : next).isEqualTo("lost");
          assertThat(first.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
          assertThat(second.output).isNotEmpty().containsOnly("reconciles");
        }
      }
    }
  }
}
