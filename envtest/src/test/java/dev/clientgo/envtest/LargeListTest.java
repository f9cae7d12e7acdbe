package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists are decoded item by item: at its peak, a sync needs little more memory than it retains. */
@Timeout(300)
final class LargeListTest {

  private static final int PODS = 50_000;

  @Test
  void sync_50000Pods_needsLessThanTwiceTheRetainedHeap() throws Exception {
    try (PodListServer server = PodListServer.start(PODS)) {
      String[] roomy = probe(server, "-Xmx3g");
      long retained = Long.parseLong(roomy[1]);
      long limit = 2 * retained - 1;

      String[] tight = probe(server, "-Xmx" + limit / 1024 + "k");

      System.out.printf(
          "large list: %d pods, %d bytes each retained, synced in a heap of %d MB%n",
          PODS, retained / PODS, limit >> 20);
      assertThat(roomy[0]).isEqualTo(String.valueOf(PODS));
      assertThat(tight[0]).isEqualTo(String.valueOf(PODS));
    }
  }

  /** Runs the probe in a separate JVM, and returns the number of pods and of retained bytes. */
  private static String[] probe(PodListServer server, String heap)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SyncProbe.class.getName(),
                server.url())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("the probe ends").isTrue();
    assertThat(process.exitValue()).as("with %s:%n%s", heap, output).isZero();
    String figures =
        output.lines().filter(line -> line.matches("\\d+ \\d+")).findFirst().orElseThrow();
    return figures.split(" "); // Log lines may come before and after.
  }
}
