package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Leaders that are killed and stopped from outside. */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the test reads /proc")
abstract class ElectionProcessContract {

  @TempDir private Path folder;

  abstract ApiServer server();

  /** The lines that all candidates print, after their names. */
  private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

  /** A candidate in another process. */
  private final class Candidate implements AutoCloseable {

    private final String name;
    private final Process process;
    private final Writer input;

    Candidate(Path kubeconfig, String name) throws IOException {
      this.name = name;
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      process =
          new ProcessBuilder(
                  java,
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  CandidateProgram.class.getName(),
                  kubeconfig.toString(),
                  name)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      input = process.outputWriter(StandardCharsets.UTF_8);
      Thread reader = new Thread(this::read, "output of " + name);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().forEach(line -> output.add(name + ' ' + line));
      } catch (IOException | UncheckedIOException e) {
        // The process was killed.
      }
    }

    void tellToWrite() throws IOException {
      input.write("write\n");
      input.flush();
    }

    void signal(String signal) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
    }

    /** Stops the process, and returns when all of its threads have stopped. */
    void pause() throws IOException, InterruptedException {
      signal("STOP");
      Clock clock = Clock.system();
      long deadline = clock.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!isStopped()) {
        assertThat(clock.nanoTime()).as("time").isLessThan(deadline);
        clock.sleep(Duration.ofMillis(10));
      }
    }

    private boolean isStopped() throws IOException {
      Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
        for (Path thread : threads) {
          String stat = Files.readString(thread.resolve("stat"));
          if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
            return false;
          }
        }
      }
      return true;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private String next() throws InterruptedException {
    String line = output.poll(60, TimeUnit.SECONDS);
    return line == null ? "nothing within 60 s" : line;
  }

  @Test
  void leader_thatIsKilledOrStopped_isFollowedAndCannotWriteAgain() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    server().writeKubeconfig(kubeconfig);
    try (RESTClient client = RESTClient.create(server().restConfig());
        Candidate first = new Candidate(kubeconfig, "first")) {
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      maps.create(ConfigMap.of("default", "output", m -> m.data(Map.of())));
      assertThat(next()).isEqualTo("first leads");
      try (Candidate second = new Candidate(kubeconfig, "second");
          Candidate third = new Candidate(kubeconfig, "third")) {
        first.signal("KILL");
        String follows = next();
        assertThat(follows).isIn("second leads", "third leads");
        Candidate leader = follows.equals("second leads") ? second : third;
        Candidate other = leader == second ? third : second;
        leader.tellToWrite();
        assertThat(next()).isEqualTo(leader.name + " wrote");

        leader.pause();
        leader.tellToWrite(); // It tries as soon as it continues.
        assertThat(next()).isEqualTo(other.name + " leads");
        other.tellToWrite();
        assertThat(next()).isEqualTo(other.name + " wrote");
        leader.signal("CONT");

        assertThat(List.of(next(), next()))
            .containsExactlyInAnyOrder(leader.name + " refused false", leader.name + " stopped");
        assertThat(maps.get("output").data()).isEqualTo(Map.of("writer", other.name));
      }
    }
  }
}
