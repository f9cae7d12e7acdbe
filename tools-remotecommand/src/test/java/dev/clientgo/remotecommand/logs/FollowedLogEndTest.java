package dev.clientgo.remotecommand.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.remotecommand.FakeKubelet;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** If a node dies, the API server ends a log as if its container had ended. */
@Timeout(60)
final class FollowedLogEndTest {

  private static final String ONE = "2026-01-01T00:00:01.1Z one\n";
  private static final String TWO = "2026-01-01T00:00:02.2Z two\n";
  private static final String THREE = "2026-01-01T00:00:03.3Z three\n";

  private static List<String> read(boolean follow, List<String> responses) throws Exception {
    return read(log -> follow ? log.follow() : log, new AtomicInteger(), responses);
  }

  private static List<String> read(
      UnaryOperator<PodLogs> choice, AtomicInteger requests, List<String> responses)
      throws Exception {
    FakeKubelet.Script script =
        connection ->
            connection.respond(
                200, responses.get(Math.min(requests.getAndIncrement(), responses.size() - 1)));
    try (FakeKubelet kubelet = new FakeKubelet(script);
        RESTClient client = RESTClient.create(kubelet.config())) {
      PodLogs log = PodLogs.of(client, "default", "p");
      List<String> lines = new ArrayList<>();
      try (LogLines resumed = choice.apply(log).resumedLines(Duration.ofSeconds(20))) {
        resumed.forEach(line -> lines.add(line.text()));
      }
      return lines;
    }
  }

  @Test
  void end_afterWhichMoreComes_isNone() throws Exception {
    assertThat(read(true, List.of(ONE, TWO + THREE))).containsExactly("one", "two", "three");
    assertThat(read(false, List.of(ONE, ONE + TWO))).containsExactly("one", "two");
    assertThat(read(true, List.of("", ONE))).containsExactly("one");
  }

  /** The instance before the last restart writes no more, so one more request must do. */
  @Test
  void end_ofAPreviousInstance_isConfirmedOnce() throws Exception {
    for (String log : List.of("", ONE + TWO, ONE + TWO.strip())) {
      for (boolean follow : new boolean[] {false, true}) {
        AtomicInteger requests = new AtomicInteger();
        List<String> lines =
            read(
                whole -> follow ? whole.previous().follow() : whole.previous(),
                requests,
                List.of(log));

        assertThat(lines).hasSize((int) log.lines().count());
        // A last line without its end is only known after the second request.
        boolean twice = follow && !log.isEmpty() && !log.endsWith("\n");
        assertThat(requests).hasValue(twice ? 3 : 2);
      }
    }
  }

  @Test
  void end_withinALine_dropsItsBeginning() throws Exception {
    String part = TWO.substring(0, TWO.length() - 2);
    assertThat(read(true, List.of(ONE + part, ONE + TWO))).containsExactly("one", "two");
  }

  /** Lines without a time: a message of the kubelet, and the rest of a line of more than 1 MiB. */
  @Test
  void lastLine_withoutATime_isReadOnce() throws Exception {
    String message = "unable to retrieve container logs for containerd://0123\n";
    String piece = "x".repeat(LogLines.MAX_LINE - "2026-01-01T00:00:02.2Z ".length());
    String longLine = "2026-01-01T00:00:02.2Z " + piece + "rest\n";
    for (boolean follow : new boolean[] {false, true}) {
      assertThat(read(follow, List.of(message))).containsExactly(message.strip());
      assertThat(read(follow, List.of(ONE + message))).containsExactly("one", message.strip());
      assertThat(read(follow, List.of(ONE + longLine))).containsExactly("one", piece, "rest");
      assertThat(read(follow, List.of(longLine, longLine + THREE)))
          .containsExactly(piece, "rest", "three");
    }
  }

  @Test
  void lastLine_withoutALineEnd_isRead() throws Exception {
    assertThat(read(true, List.of(ONE + TWO.strip()))).containsExactly("one", "two");
  }
}
