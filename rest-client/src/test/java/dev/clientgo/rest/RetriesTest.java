package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.http.RequestSender;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests that the client sends again. The cases are those of TestRetryableConditions,
 * TestRequestDoWithRetry, TestRequestWatchWithRetry and TestRequestStreamWithRetry in {@code
 * rest/request_test.go} and of TestIsNextRetry in {@code rest/with_retry_test.go}.
 */
@Timeout(300)
final class RetriesTest {

  private final RecordingClock clock = new RecordingClock();

  /** How a request is sent. */
  private enum Call {
    EXECUTE,
    WATCH,
    STREAM;

    void send(Request request) throws InterruptedException {
      switch (this) {
        case EXECUTE -> request.execute();
        case WATCH -> request.watch(Unstructured.CODEC, DecodeContext.create()).close();
        case STREAM -> {
          try (InputStream in = request.stream()) {
            assertThat(in).isNotNull();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }
  }

  private static MockResponse answer(int code, String retryAfter) {
    MockResponse.Builder response = new MockResponse.Builder().code(code).body("busy");
    if (!retryAfter.isEmpty()) {
      response.setHeader("Retry-After", retryAfter);
    }
    return response.build();
  }

  private int attempts(MockResponse answer, Call call, String verb, UnaryOperator<Request> steps)
      throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1).always(answer);
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      Request request = steps.apply(client.verb(verb).absPath("/x").maxRetries(2));
      assertThatThrownBy(() -> call.send(request)).isInstanceOf(ApiStatusException.class);
      return server.requestCount();
    }
  }

  @ParameterizedTest
  @EnumSource
  void busyServer_thatSaysWhen_isAskedAgain(Call call) throws Exception {
    assertThat(attempts(answer(429, "1"), call, "GET", r -> r)).isEqualTo(3);
    assertThat(attempts(answer(503, "0"), call, "GET", r -> r)).isEqualTo(3);
    assertThat(attempts(answer(500, "2"), call, "GET", r -> r)).isEqualTo(3);

    assertThat(clock.sleeps())
        .isEqualTo(
            List.of(
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                // No wait of 0 s.
                Duration.ofSeconds(2),
                Duration.ofSeconds(2)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
  void busyServer_isAskedAgainForAnyVerb(String verb) throws Exception {
    assertThat(attempts(answer(429, "1"), Call.EXECUTE, verb, r -> r)).isEqualTo(3);
    assertThat(
            attempts(
                answer(503, "1"),
                Call.EXECUTE,
                verb.equals("GET") ? "DELETE" : verb,
                r -> r.body(new byte[] {'1'}, "text/plain")))
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "429, ''",
    "500, ''",
    "503, ''",
    "301, 1",
    "404, 1",
    "409, 1",
    "429, soon",
    "429, -1",
    "503, 'Wed, 21 Oct 2026 07:28:00 GMT'"
  })
  void otherAnswers_areFinal(int code, String retryAfter) throws Exception {
    for (Call call : Call.values()) {
      assertThat(attempts(answer(code, retryAfter), call, "GET", r -> r)).isEqualTo(1);
    }
  }

  @Test
  void streamedBody_isNeverSentAgain() throws Exception {
    assertThat(
            attempts(
                answer(429, "1"),
                Call.EXECUTE,
                "POST",
                r -> r.body(new ByteArrayInputStream(new byte[] {1}), "text/plain")))
        .isEqualTo(1);
  }

  /** TestRequestMaxRetries. */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "5, 6", "-1, 1"})
  void maxRetries_isHonouredExactly(int maxRetries, int expected) throws Exception {
    assertThat(attempts(answer(429, "1"), Call.EXECUTE, "GET", r -> r.maxRetries(maxRetries)))
        .isEqualTo(expected);
  }

  @Test
  void maxRetries_notSet_isTen() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1).always(answer(429, "1"));
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isTooManyRequests()).isTrue());
      assertThat(server.requestCount()).isEqualTo(11);
    }
  }

  /** TestRequestConcurrencyWithRetry: each call counts its own attempts. */
  @Test
  void busyServer_ofManyThreads_isAskedAgainByEach() throws Exception {
    int threads = 20;
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1).always(answer(500, "1"));
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      List<TestThread<Result>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        calls.add(
            TestThread.start(() -> client.verb("POST").absPath("/x").maxRetries(9).execute()));
      }
      for (TestThread<Result> call : calls) {
        assertThat(call.failure()).isInstanceOf(ApiStatusException.class);
      }

      assertThat(server.requestCount()).isEqualTo(threads * 10);
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  /** TestCheckRetryClosesBody. */
  @Test
  void busyServer_thatRecovers_answers() throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1)
                .enqueue(answer(429, "3"), TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      assertThat(server.takeRequest().getConnectionIndex()).isZero();
      // The short answer was read to its end, so that its connection could serve again.
      assertThat(server.takeRequest().getConnectionIndex()).isZero();
    }
  }

  /** TestCheckRetryHandles429And5xx: any error of the server, and the whole body each time. */
  @Test
  void busyServer_isSentTheWholeBodyAgain() throws Exception {
    String body = "abcd".repeat(1000);
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1)
                .enqueue(answer(429, "0"), answer(500, "0"), answer(501, "0"), answer(504, "0"))
                .enqueue(TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      client.post().absPath("/x").body(body.getBytes(UTF_8), "text/plain").execute();

      for (int i = 0; i < 5; i++) {
        assertThat(server.takeRequest().getBody().utf8()).isEqualTo(body);
      }
    }
  }

  /** TestRequestStream: it may succeed in the end, however it is sent. */
  @ParameterizedTest
  @EnumSource
  void busyServer_thatRecoversAtLast_answers(Call call) throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1)
                .enqueue(answer(500, "1"), answer(429, "1"), TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      call.send(client.get().absPath("/x").maxRetries(2));

      assertThat(server.requestCount()).isEqualTo(3);
    }
  }

  /** TestRequestStream, TestRequestDoWithRetry: a server that is busy at first and then gone. */
  @ParameterizedTest
  @CsvSource({"STREAM, 2", "EXECUTE, 3", "WATCH, 3"})
  void busyServer_thatBreaksOff_isAskedAgainAsIfItHadBrokenOffAtOnce(Call call, int attempts)
      throws Exception {
    // OkHttp itself sends again what meets the end of a connection that was used before.
    MockResponse last = answer(500, "1").newBuilder().setHeader("Connection", "close").build();
    MockResponse none =
        new MockResponse.Builder()
            .onResponseStart(mockwebserver3.SocketEffect.ShutdownConnection.INSTANCE)
            .build();
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1).enqueue(last, none, none, none, none);
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      Request request = client.get().absPath("/x").maxRetries(2);

      if (call == Call.WATCH) {
        call.send(request); // Which ends, as a watch does.
      } else {
        assertThatThrownBy(() -> call.send(request)).isInstanceOf(TransportException.class);
      }

      assertThat(server.requestCount()).isEqualTo(attempts);
    }
  }

  /* --------------- Connections that break --------------- */

  private enum Break {
    EOF,
    WITHIN_THE_HEADERS,
    RESET;

    RawServer start() throws IOException {
      return RawServer.start(
          switch (this) {
            case EOF -> RawServer.CLOSE;
            case WITHIN_THE_HEADERS -> RawServer.send("HTTP/1.1 200 OK\r\nContent-");
            case RESET -> RawServer.RESET;
          });
    }
  }

  private RESTClient client(RawServer server) {
    return RESTClient.create(RestConfig.builder(server.url()).build(), clock, Timeouts.STANDARD);
  }

  @ParameterizedTest
  @EnumSource
  void lostConnection_ofGet_isTriedAgain(Break how) throws Exception {
    try (RawServer server = how.start();
        RESTClient client = client(server)) {
      assertThatThrownBy(() -> client.get().absPath("/x").maxRetries(2).execute())
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST));
      assertThat(server.requestCount()).isEqualTo(3);
      assertThat(clock.sleeps()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void lostConnection_ofWatch_isTriedAgainAndThenEnds(Break how) throws Exception {
    try (RawServer server = how.start();
        RESTClient client = client(server);
        Watch<Unstructured> watch =
            client
                .get()
                .absPath("/x")
                .maxRetries(2)
                .watch(Unstructured.CODEC, DecodeContext.create())) {
      assertThat(watch.next())
          .containsInstanceOf(WatchEvent.Failed.class)
          .get()
          .asString()
          .contains("was closed before a response arrived");
      assertThat(watch.next()).isEmpty();
      assertThat(server.requestCount()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lostConnection_ofStream_isFinal(Break how) throws Exception {
    try (RawServer server = how.start();
        RESTClient client = client(server)) {
      assertThatThrownBy(() -> client.get().absPath("/x").stream())
          .isInstanceOf(TransportException.class);
      assertThat(server.requestCount()).isEqualTo(1);
    }
  }

  /** TestRequestDoWithRetry: POST with EOF; the server may have created the object. */
  @ParameterizedTest
  @EnumSource
  void lostConnection_ofAnythingButGet_isFinal(Break how) throws Exception {
    for (String verb : List.of("POST", "PUT", "PATCH", "DELETE")) {
      try (RawServer server = how.start();
          RESTClient client = client(server)) {
        assertThatThrownBy(
                () ->
                    client.verb(verb).absPath("/x").body(new byte[] {'1'}, "text/plain").execute())
            .isInstanceOf(TransportException.class);
        assertThat(server.requestCount()).as(verb).isEqualTo(1);
      }
    }
  }

  /** OkHttp by itself would send again what has no body, if the connection was used before. */
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void lostConnection_thatWasUsedBefore_isFinalWithoutABodyToo(String verb) throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      server.enqueue(
          TestServer.json(200, "{}"),
          new MockResponse.Builder()
              .onResponseStart(SocketEffect.ShutdownConnection.INSTANCE)
              .build(),
          TestServer.json(200, "{}"));
      client.get().absPath("/x").execute();

      assertThatThrownBy(() -> client.verb(verb).absPath("/x").execute())
          .isInstanceOf(TransportException.class);
      assertThat(server.requestCount()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusedConnection_isFinal(Call call) throws Exception {
    try (RefusingPort port = new RefusingPort();
        RESTClient client =
            RESTClient.create(
                RestConfig.builder("http://127.0.0.1:" + port.number()).build(),
                clock,
                Timeouts.STANDARD)) {
      assertThatThrownBy(() -> call.send(client.get().absPath("/x")))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_REFUSED));
      assertThat(clock.sleeps()).isEmpty();
    }
  }

  /** The timeout case of TestRequestWatchWithRetry and TestRequestDoWithRetry. */
  @Test
  void timeout_isTriedAgainByWatchAlone() throws Exception {
    Timeouts impatient =
        new Timeouts(
            Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ZERO);
    RawServer.Misbehaviour silent =
        socket -> {
          socket.setSoTimeout(30_000);
          socket.getInputStream().read();
        };
    try (RawServer server = RawServer.start(silent);
        RESTClient client =
            RESTClient.create(
                RestConfig.builder(server.url()).watchIdleTimeout(Duration.ofMillis(50)).build(),
                clock,
                impatient)) {
      assertThatThrownBy(() -> client.get().absPath("/x").maxRetries(2).execute())
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));
      assertThat(server.connectionCount()).isEqualTo(1);

      Call.WATCH.send(client.get().absPath("/x").maxRetries(2));
      assertThat(server.connectionCount()).isEqualTo(4);
    }
  }

  /** TestWrapPreviousError. */
  @Test
  void errorOfAnotherAttempt_isMentioned() {
    TransportException lost =
        new TransportException(TransportException.Kind.CONNECTION_LOST, "lost", null);
    TransportException refused =
        new TransportException(TransportException.Kind.CONNECTION_REFUSED, "refused", null);

    assertThat(RequestSender.withPrevious(lost, null)).isSameAs(lost);
    assertThat(RequestSender.withPrevious(lost, lost)).isSameAs(lost);
    assertThat(RequestSender.withPrevious(refused, lost))
        .hasMessage("refused - error from a previous attempt: lost")
        .hasSuppressedException(lost)
        .extracting(TransportException::kind)
        .isEqualTo(TransportException.Kind.CONNECTION_REFUSED);
  }

  /** TestRequestDoWithWrapPreviousError: answers of a busy server between them do not count. */
  @Test
  void errorOfAnEarlierAttempt_isMentioned_whateverCameBetween() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    RawServer.Misbehaviour busy =
        RawServer.send("HTTP/1.1 429 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
    RawServer.Misbehaviour each =
        socket -> {
          switch (attempts.incrementAndGet()) {
            case 1 -> RawServer.CLOSE.on(socket);
            case 2, 3 -> busy.on(socket);
            default -> RawServer.send("nonsense\r\n\r\n").on(socket);
          }
        };
    try (RawServer server = RawServer.start(each);
        RESTClient client = client(server)) {
      assertThatThrownBy(() -> client.get().absPath("/x").maxRetries(3).execute())
          .isInstanceOf(TransportException.class)
          .hasMessageContaining(" - error from a previous attempt: ");
      assertThat(server.requestCount()).isEqualTo(4);
    }
  }

  @Test
  void interruption_whileWaitingForTheNextAttempt_ends() throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1).always(answer(429, "1000"));
        RESTClient client = RESTClient.create(server.config().build())) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("sleep").interrupt();

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      assertThat(server.requestCount()).isEqualTo(1);
    }
  }
}
