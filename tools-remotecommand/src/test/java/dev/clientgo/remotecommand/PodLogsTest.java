package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The options of logs, cuts, and the ends of readers. */
@Timeout(300)
final class PodLogsTest {

  private static final Instant START = Instant.parse("2026-11-22T10:00:00.5Z");

  private interface Use {
    void use(PodLogs log) throws Exception;
  }

  private static void with(FakeKubelet.Script script, Use use) throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(script);
        RESTClient client = RESTClient.create(kubelet.config())) {
      use.use(PodLogs.of(client, "default", "p"));
    }
  }

  /** A line of every 100 ms. */
  private static List<String> lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> START.plusMillis(100L * i) + " line " + i)
        .toList();
  }

  private static void send(FakeKubelet.Connection connection, List<String> lines)
      throws IOException {
    connection.raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
            .getBytes(UTF_8));
    for (String line : lines) {
      byte[] bytes = (line + "\n").getBytes(UTF_8);
      connection.raw((Integer.toHexString(bytes.length) + "\r\n").getBytes(UTF_8));
      connection.raw(bytes);
      connection.raw("\r\n".getBytes(UTF_8));
    }
  }

  private static void end(FakeKubelet.Connection connection) throws IOException {
    connection.raw("0\r\n\r\n".getBytes(UTF_8));
  }

  @Test
  void options_areParametersOfTheRequest() throws Exception {
    List<HttpUrl> urls = new CopyOnWriteArrayList<>();
    with(
        connection -> {
          urls.add(connection.url());
          send(connection, List.of());
          end(connection);
        },
        log -> {
          PodLogs all =
              log
                  .inContainer("c")
                  .follow()
                  .previous()
                  .tail(5)
                  .limitBytes(100)
                  .withTimestamps()
                  .stream(PodLogs.Stream.STDERR)
                  .insecureSkipTlsVerifyBackend();
          all.since(Duration.ofMinutes(1)).open().close();
          log.since(START).open().close();

          assertThat(urls.get(0).encodedPath()).isEqualTo("/api/v1/namespaces/default/pods/p/log");
          assertThat(urls.get(0).query())
              .isEqualTo(
                  "container=c&follow=true&insecureSkipTLSVerifyBackend=true&limitBytes=100&previous=true&sinceSeconds=60&stream=Stderr&tailLines=5&timestamps=true");
          assertThat(urls.get(1).query()).isEqualTo("sinceTime=2026-11-22T10:00:00Z");
          assertThatThrownBy(() -> all.since(START).since(Duration.ofSeconds(1)))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("sinceTime is set");
          assertThatThrownBy(() -> log.since(Duration.ZERO))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> all.resumedLines(Duration.ofSeconds(1)))
              .isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  void lines_haveTheirTimes() throws Exception {
    with(
        connection -> {
          send(connection, lines(2));
          send(connection, List.of());
        },
        log -> {
          try (LogLines lines = log.inContainer("c").lines()) {
            LogLine first = lines.next().orElseThrow();
            assertThat(first.text()).isEqualTo("line 0");
            assertThat(first.time()).contains(START);
            assertThat(first).hasToString("p c: line 0");
            assertThat(lines.next().orElseThrow().text()).isEqualTo("line 1");
            assertThatThrownBy(lines::next)
                .isInstanceOfSatisfying(
                    TransportException.class,
                    e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST));
          }
        });
  }

  @Test
  void resumedLines_cutAnywhere_loseAndRepeatNone() throws Exception {
    long seed = 20261122;
    Random random = new Random(seed);
    List<String> log = lines(60);
    with(
        connection -> {
          String since = connection.url().queryParameter("sinceTime");
          List<String> wanted =
              since == null
                  ? log.subList(10, log.size()) // The tail.
                  : log.stream()
                      .filter(line -> line.compareTo(since.substring(0, since.length() - 1)) >= 0)
                      .toList();
          synchronized (random) {
            if (random.nextInt(5) == 0) {
              connection.respond(
                  503,
                  "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":503,\"message\":\"later\"}");
              return;
            }
            connection.cutAfter(random.nextInt(2000));
          }
          send(connection, wanted);
          end(connection);
        },
        pod -> {
          for (int run = 0; run < 5; run++) {
            List<String> read = new ArrayList<>();
            try (LogLines lines = openAtLast(pod.tail(50).follow())) {
              lines.forEach(line -> read.add(line.time().orElseThrow() + " " + line.text()));
            }
            assertThat(read)
                .describedAs("seed %d, run %d", seed, run)
                .isEqualTo(log.subList(10, log.size()));
          }
        });
  }

  /** Only reading is resumed; that a log cannot be opened is an error at once. */
  private static LogLines openAtLast(PodLogs log) throws InterruptedException {
    while (true) {
      try {
        return log.resumedLines(Duration.ofMinutes(1));
      } catch (ApiStatusException | TransportException e) {
        // The server cuts at random.
      }
    }
  }

  @Test
  void resumedLines_ofAPodThatIsGone_throwTheError() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    with(
        connection -> {
          if (first.getCount() > 0) {
            first.countDown();
            send(connection, lines(1));
          } else {
            connection.respond(
                404,
                "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404,\"message\":\"gone\"}");
          }
        },
        log -> {
          try (LogLines lines = log.follow().resumedLines(Duration.ofMinutes(1))) {
            assertThat(lines.next()).isPresent();
            assertThatThrownBy(lines::next)
                .isInstanceOfSatisfying(
                    ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
          }
        });
  }

  @Test
  void lines_ofASilentContainer_endAtCloseAndInterruption() throws Exception {
    with(
        connection -> {
          send(connection, lines(1));
          connection.awaitEnd();
        },
        log -> {
          LogLines closed = log.follow().resumedLines(Duration.ofMinutes(1));
          assertThat(closed.next()).isPresent();
          Thread closer = new Thread(closed::close);
          closer.start();
          assertThatThrownBy(closed::next)
              .isInstanceOfSatisfying(
                  TransportException.class,
                  e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLIENT_CLOSED));
          closer.join();

          try (LogLines interrupted = log.follow().resumedLines(Duration.ofMinutes(1))) {
            assertThat(interrupted.next()).isPresent();
            Thread.currentThread().interrupt();
            assertThatThrownBy(interrupted::next).isInstanceOf(InterruptedException.class);
          }
        });
  }

  @Test
  void open_returnsTheBytes() throws Exception {
    with(
        connection -> {
          send(connection, List.of("a", "b"));
          end(connection);
        },
        log -> {
          try (InputStream bytes = log.open()) {
            assertThat(new String(bytes.readAllBytes(), UTF_8)).isEqualTo("a\nb\n");
          }
        });
  }
}
