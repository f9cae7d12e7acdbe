package dev.clientgo.liveview;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers that a live view does not expect: they get little, and cost the program little. */
@Timeout(120)
final class HostileCallersTest {

  private static final int SOON_MS = 30_000;

  private final FakeClock clock = FakeClock.create();
  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final LiveView view =
      LiveView.builder()
          .clock(clock)
          .server(
              () -> {
                asked.incrementAndGet();
                return new ServerState("1", Map.of(), 0);
              })
          .start();

  @AfterEach
  void close() throws IOException {
    view.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket send(String request) throws IOException {
    Socket socket = new Socket(view.url().getHost(), view.url().getPort());
    sockets.add(socket);
    socket.setSoTimeout(SOON_MS);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return socket;
  }

  private Socket get(String path, String... headers) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines(headers) + "\r\n");
  }

  private static String lines(String... headers) {
    return String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n");
  }

  /** Returns the first line of the answer, or empty if the server has closed the connection. */
  private static String answer(Socket socket) {
    try {
      String line =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      return ""; // The server has reset the connection.
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/events, cross-site, 403",
    "/events, same-site, 403",
    "/picture, cross-site, 403",
    "/object?key=a, same-site, 403",
    "/incident.bin, cross-site, 403",
    "/events, same-origin, 200",
    "/picture, none, 200",
    "/, cross-site, 200",
    "/incident, cross-site, 200"
  })
  void request_ofThePageOfAnotherSite_isRefused(String path, String site, int status)
      throws Exception {
    assertThat(answer(get(path, "Sec-Fetch-Site: " + site))).startsWith("HTTP/1.1 " + status + " ");
  }

  @Test
  void streams_many_shareOnePicture() throws Exception {
    for (int i = 0; i < 20; i++) {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(get("/events").getInputStream(), UTF_8));
      String line = lines.readLine();
      while (!line.startsWith("data: ")) {
        line = lines.readLine();
      }
    }

    assertThat(asked.get()).isEqualTo(1);
  }

  @Test
  void connections_tooMany_areClosed_andThePageIsBackWhenTheyLeave() throws Exception {
    List<Socket> streams = new ArrayList<>();
    for (int i = 0; i < LiveViewServer.MOST_REQUESTS; i++) {
      Socket stream = get("/events");
      assertThat(answer(stream)).startsWith("HTTP/1.1 200 ");
      streams.add(stream);
    }

    assertThat(answer(get("/"))).isEmpty();
    assertThat(answer(send("GET / HT"))).isEmpty();

    for (Socket stream : streams) {
      stream.close();
    }
    while (!answer(get("/")).startsWith("HTTP/1.1 200 ")) {
      view.queue("more"); // The streams see that their readers have left when they send.
      clock.advance(Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET mailto:x HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "HEAD /picture HTTP/1.1",
    "DELETE /picture HTTP/1.1",
    "GET /../../etc/passwd HTTP/1.1",
    "GET /%2e%2e/pom.xml HTTP/1.1",
    "GET /object?key=%zz HTTP/1.1",
    "POST /step?stage=pop HTTP/1.1",
    "nonsense"
  })
  void request_strange_isRefused_andTheNextOneIsAnswered(String line) throws Exception {
    assertThat(answer(send(line + "\r\nHost: localhost\r\n\r\n"))).matches("|HTTP/1.1 4\\d\\d .*");

    assertThat(answer(get("/picture"))).startsWith("HTTP/1.1 200 ");
  }

  /** A reader that takes nothing delays no other, and does not outlive the view. */
  @Test
  void reader_thatIsSlow_delaysNoOther_andIsClosedWithTheView() throws Exception {
    Socket slow = get("/events");
    for (int i = 0; i < 2000; i++) {
      view.queue("a queue with a long name, so that the buffers of the connection are full " + i);
    }
    clock.advance(Duration.ofSeconds(1));

    assertThat(answer(get("/picture"))).startsWith("HTTP/1.1 200 ");
    view.close();

    slow.getInputStream().readAllBytes(); // Ends.
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("live-view-"))) {
      Thread.onSpinWait();
    }
  }
}
