package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.SelectorLogLines;
import dev.clientgo.remotecommand.logs.SelectorLogs;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Logs of many pods that come, go and start again, through cuts.
 *
 * <p>System properties make the test of cuts longer: {@code clientgo.logs.lines}, and {@code
 * clientgo.logs.seed}.
 */
@Timeout(600)
final class SelectorLogsTest {

  private static final int LINES = Integer.getInteger("clientgo.logs.lines", 3000);

  private static final long SEED = Long.getLong("clientgo.logs.seed", 20261126L);

  /** Lets the writer be that many lines ahead, so that each container has been read before. */
  private final Semaphore unread = new Semaphore(50);

  private FakeLogCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new FakeLogCluster();
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private SelectorLogs logs() {
    return SelectorLogs.of(cluster.client(), "default", Selector.parse("app=web"));
  }

  private static List<String> read(SelectorLogLines lines, int count) throws InterruptedException {
    List<String> read = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      read.add(lines.next().orElseThrow().toString());
    }
    return read;
  }

  private static List<String> readAll(SelectorLogs logs) throws InterruptedException {
    List<String> read = new ArrayList<>();
    try (SelectorLogLines lines = logs.lines()) {
      lines.forEach(line -> read.add(line.toString()));
    }
    return read;
  }

  @Test
  void lines_areThoseOfAllSelectedContainers() throws Exception {
    cluster.run("web", "web-0", "main", "proxy");
    cluster.run("db", "db-0", "main");
    cluster.add("web-0", "setup");
    cluster.add("web-0", "debug");
    cluster.setStatus(
        "web-0",
        status ->
            status
                .initContainerStatuses(List.of(FakeLogCluster.running("setup", 0)))
                .ephemeralContainerStatuses(List.of(FakeLogCluster.running("debug", 0))));
    cluster.line("db-0", "main", "of another app");
    for (String container : List.of("main", "proxy", "setup", "debug")) {
      cluster.line("web-0", container, "1");
      cluster.line("web-0", container, "2");
    }

    assertThat(readAll(logs().tail(1)))
        .containsExactlyInAnyOrder(
            "web-0 main: 2", "web-0 proxy: 2", "web-0 setup: 2", "web-0 debug: 2");
    assertThat(readAll(logs().containers(Pattern.compile("^(ma|pro)"))))
        .containsExactlyInAnyOrder(
            "web-0 main: 1", "web-0 main: 2", "web-0 proxy: 1", "web-0 proxy: 2");
    assertThat(readAll(logs().inContainer("main").maxContainers(1)))
        .containsExactly("web-0 main: 1", "web-0 main: 2");
    assertThat(
            readAll(logs().withoutInitContainers().withoutEphemeralContainers().maxContainers(1)))
        .hasSize(4);
    assertThat(readAll(SelectorLogs.ofAllNamespaces(cluster.client(), Selector.parse("app=none"))))
        .isEmpty();
  }

  @Test
  void pods_thatComeAndGo_areFollowed() throws Exception {
    cluster.run("web", "web-0", "main");
    cluster.line("web-0", "main", "old");
    cluster.line("web-0", "main", "last");

    try (SelectorLogLines lines = logs().tail(1).follow().lines()) {
      assertThat(read(lines, 1)).containsExactly("web-0 main: last");
      cluster.run("web", "web-1", "main");
      cluster.line("web-1", "main", "hello");
      cluster.line("web-1", "main", "again");
      assertThat(read(lines, 2)).containsExactly("web-1 main: hello", "web-1 main: again");
      cluster.delete("web-1");
      cluster.run("web", "web-1", "main");
      cluster.line("web-1", "main", "the next of this name");
      assertThat(read(lines, 1)).containsExactly("web-1 main: the next of this name");
      cluster.endLogsOfDeletedPods(); // Before, a late informer would let both be read.
      cluster.line("web-0", "main", "still here");
      assertThat(read(lines, 1)).containsExactly("web-0 main: still here");
    }
  }

  @Test
  void container_thatStartsAgain_isFollowed() throws Exception {
    cluster.run("web", "web-0", "main");
    try (SelectorLogLines lines = logs().follow().lines()) {
      for (int instance = 0; instance < 3; instance++) {
        cluster.line("web-0", "main", "start " + instance);
        cluster.line("web-0", "main", "end " + instance);
        assertThat(read(lines, 2))
            .containsExactly("web-0 main: start " + instance, "web-0 main: end " + instance);
        cluster.restart("web-0", "main");
      }
    }
  }

  /** Each line of each container arrives once and in order, whatever breaks. */
  @Test
  void connections_cutAnywhere_loseAndRepeatNoLine() throws Exception {
    List<String> names = List.of("web-0/a", "web-0/b", "web-1/a", "web-1/b");
    cluster.run("web", "web-0", "a", "b");
    cluster.run("web", "web-1", "a", "b");
    // A cut log is read again from up to two seconds before, which is 100 lines of all.
    cluster.cut(SEED, Math.max(12_000, LINES * 4));
    Random random = new Random(SEED + 1);
    Map<String, List<String>> written = new TreeMap<>();
    Map<String, List<String>> read = new TreeMap<>();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    long start = Clock.system().nanoTime();
    try (SelectorLogLines lines = logs().follow().lines()) {
      Future<?> writing = writer.submit(() -> write(names, random, written));
      for (int i = 0; i < LINES; i++) {
        LogLine line = lines.next().orElseThrow();
        read.computeIfAbsent(line.pod() + "/" + line.container(), key -> new ArrayList<>())
            .add(line.text());
        unread.release();
      }
      writing.get();
    } finally {
      writer.shutdownNow();
    }

    assertThat(read).describedAs("seed %d", SEED).isEqualTo(written);
    assertThat(cluster.cuts()).describedAs("cuts, seed %d", SEED).isPositive();
    System.out.printf(
        "seed %d: %d lines, %d cuts in %d ms%n",
        SEED, LINES, cluster.cuts(), (Clock.system().nanoTime() - start) / 1_000_000);
  }

  private Void write(List<String> names, Random random, Map<String, List<String>> written)
      throws InterruptedException {
    for (int i = 0; i < LINES; i++) {
      String name = names.get(random.nextInt(names.size()));
      String pod = name.substring(0, name.indexOf('/'));
      String container = name.substring(name.indexOf('/') + 1);
      // Each container once: an instance that starts and ends during one cut is lost.
      if (i % (LINES / 4) == LINES / 8) {
        String other = names.get(i / (LINES / 4));
        cluster.restart(other.substring(0, 5), other.substring(6));
      }
      unread.acquire();
      String text = random.nextInt(5) == 0 ? "the same" : "line " + i;
      written.computeIfAbsent(name, key -> new ArrayList<>()).add(text);
      cluster.line(pod, container, text);
    }
    return null;
  }

  @Test
  void reader_thatDoesNotRead_holdsTheLinesUpAndLosesNone() throws Exception {
    cluster.run("web", "web-0", "main");
    String text = "x".repeat(1000);
    for (int i = 0; i < 20_000; i++) {
      cluster.line("web-0", "main", i + text);
    }

    try (SelectorLogLines lines = logs().lines()) {
      for (int i = 0; i < 20_000; i++) {
        assertThat(lines.next().orElseThrow().text()).isEqualTo(i + text);
      }
      assertThat(lines.next()).isEmpty();
    }
  }

  @Test
  void containers_moreThanTheLimit_areAnErrorIfFollowed() throws Exception {
    cluster.run("web", "web-0", "a", "b", "c");

    try (SelectorLogLines lines = logs().maxContainers(2).follow().lines()) {
      assertThatThrownBy(lines::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("more than 2 containers at once");
    }
  }

  @Test
  void close_endsTheReaderAndTheThreads() throws Exception {
    cluster.run("web", "web-0", "a", "b");
    SelectorLogLines lines = logs().follow().lines();
    cluster.line("web-0", "a", "x");
    assertThat(read(lines, 1)).containsExactly("web-0 a: x");
    Thread closer = new Thread(lines::close);
    closer.start();

    assertThatThrownBy(lines::next)
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLIENT_CLOSED));
    closer.join();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("client-go-remotecommand-logs-")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }

  @Test
  void user_withoutRights_getsTheError() throws Exception {
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection ->
                    connection.respond(
                        403,
                        "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"Forbidden\",\"code\":403,\"message\":\"no\"}"));
        RESTClient client = RESTClient.create(kubelet.config())) {
      SelectorLogs refused = SelectorLogs.of(client, "default", Selector.parse("app=web"));

      assertThatThrownBy(() -> refused.follow().lines()).isInstanceOf(ApiStatusException.class);
      assertThatThrownBy(refused::lines).isInstanceOf(ApiStatusException.class);
    }
  }
}
