package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.internal.policy.LoggedBody;
import dev.clientgo.rest.internal.policy.RequestLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The log lines of requests, and their levels; the Go tests named are in {@code
 * rest/request_test.go} and {@code transport/round_trippers_test.go}.
 */
@Timeout(300)
final class RequestLogTest {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread test = Thread.currentThread();
  private final Logger logger = Logger.getLogger(Request.class.getName());
  private final Handler recorder =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (Thread.currentThread() != test) {
            return; // Of a client that another test has left.
          }
          lines.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    logger.addHandler(recorder);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(recorder);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
    server.close();
  }

  private void post(Level level, int bodies, String path) throws Exception {
    logger.setLevel(level);
    RestConfig config = server.config().bearerToken("hunter2").build();
    try (RESTClient client = RESTClient.builder(config).logBodies(bodies).build()) {
      client
          .post()
          .absPath(path)
          .param("a", "b c")
          .body("{\"password\": \"hunter2\", \"name\": \"it\"}".getBytes(UTF_8), "application/json")
          .execute();
    }
  }

  /** One line with verb, URL, status and time, as kubectl -v=6 shows. */
  @Test
  void debug_isOneLineARequest() throws Exception {
    server.enqueue(TestServer.json(201, "{}"));
    post(Level.FINE, 1000, "/x");

    assertThat(lines)
        .singleElement()
        .asString()
        .matches(
            "FINE Request: method=POST url=http://127.0.0.1:\\d+/x\\?a=b\\+c status=201"
                + " protocol=http/1.1 millis=\\d+");
  }

  /** A server or a proxy may ask for any time: it must not look as if nothing happened. */
  @Test
  void retryAfter_isVisibleIfItIsLong() throws Exception {
    for (String seconds : new String[] {"1", "86400"}) {
      server.enqueue(
          TestServer.json(429, "{}").newBuilder().setHeader("Retry-After", seconds).build());
      server.enqueue(TestServer.json(200, "{}"));
    }
    logger.setLevel(Level.INFO);
    try (RESTClient client =
        RESTClient.create(server.config().build(), new RecordingClock(), Timeouts.STANDARD)) {
      client.get().absPath("/x").execute();
      client.get().absPath("/x").execute();
    }

    assertThat(lines)
        .singleElement()
        .asString()
        .matches(
            "INFO The server asks for a retry: status=429 seconds=86400 method=GET"
                + " url=http://127.0.0.1:\\d+/x");
  }

  @Test
  void lostConnection_isVisibleFromTheSecondTimeOn() throws Exception {
    logger.setLevel(Level.INFO);
    try (RawServer gone = RawServer.start(RawServer.CLOSE);
        RESTClient client =
            RESTClient.create(
                RestConfig.builder(gone.url()).build(), new RecordingClock(), Timeouts.STANDARD)) {
      assertThatThrownBy(() -> client.get().absPath("/x").maxRetries(2).execute())
          .isInstanceOf(TransportException.class);
    }

    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith(
            "INFO An attempt failed, there will be another: attempt=2 error=GET http://127.0.0.1:");
  }

  /**
   * TestThrottledLogger has the same line for short and long waits, once in ten seconds. Unlike
   * there, nothing is limited by default, so each long wait is of interest.
   */
  @Test
  void wait_isVisibleIfItIsLong() throws Exception {
    server.always(TestServer.json(200, "{}"));
    logger.setLevel(Level.INFO);
    for (int millis : new int[] {1000, 1001}) {
      try (RESTClient client =
          RESTClient.builder(server.config().build())
              .clock(new RecordingClock(), Timeouts.STANDARD)
              .rateLimiter(() -> Duration.ofMillis(millis))
              .build()) {
        client.get().absPath("/x").execute();
      }
    }

    assertThat(lines)
        .containsExactly(
            "INFO Waits due to client-side throttling, not priority and fairness: millis=1001"
                + " method=GET url="
                + server.url()
                + "/x");
  }

  @Test
  void info_isNothing() throws Exception {
    server.enqueue(TestServer.json(200, "{}"));
    post(Level.INFO, 1000, "/x");

    assertThat(lines).isEmpty();
  }

  /** The headers, as kubectl -v=7 shows them. */
  @Test
  void trace_hasHeadersWithoutCredentials() throws Exception {
    server.enqueue(TestServer.json(200, "{\"a\":1}"));
    post(Level.FINER, 0, "/x");

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .startsWith("FINER Request headers: method=POST url=http://127.0.0.1:")
        .containsIgnoringCase("Authorization: Bearer <masked>")
        .containsIgnoringCase("Accept: application/json");
    assertThat(lines.get(1)).startsWith("FINE Request: method=POST");
    assertThat(lines.get(2))
        .startsWith("FINER Response headers: method=POST url=http://127.0.0.1:")
        .containsIgnoringCase("Content-Type: application/json");
    assertThat(lines).noneMatch(line -> line.contains("hunter2"));
  }

  /** The bodies, as kubectl -v=8 shows them, if the program asks for them. */
  @Test
  void bodies_areShownIfAskedFor_withoutSecrets() throws Exception {
    server.enqueue(TestServer.json(200, "{\"token\":\"hunter2\",\"kind\":\"Pod\",\"more\":true}"));
    post(Level.FINER, 30, "/x");

    assertThat(lines).hasSize(5);
    assertThat(lines.get(1))
        .endsWith("body={\"password\": \"<masked>\", \"name [truncated 8 bytes]");
    assertThat(lines.get(4))
        .contains("Response body: method=POST")
        .contains("{\"token\":\"<masked>\",");
    assertThat(lines).noneMatch(line -> line.contains("hunter2"));
  }

  @Test
  void bodiesOfSecrets_areNotShown() throws Exception {
    server.enqueue(TestServer.json(200, "{\"data\":{\"k\":\"aHVudGVyMg==\"}}"));
    post(Level.FINER, 1000, "/api/v1/namespaces/ns/secrets/s");

    assertThat(lines.get(1)).endsWith("(37 bytes, not shown because they may contain secrets)");
    assertThat(lines.get(4)).endsWith("(29 bytes, not shown because they may contain secrets)");
  }

  @Test
  void bodyOfAWatch_isShownWhenItEnds() throws Exception {
    logger.setLevel(Level.FINER);
    server.enqueue(TestServer.json(200, "\n\n"));
    try (RESTClient client = RESTClient.builder(server.config().build()).logBodies(9).build();
        var watch = client.get().absPath("/w").watch(Unstructured.CODEC, DecodeContext.create())) {
      assertThat(watch.next()).isEmpty();
    }

    assertThat(lines.get(lines.size() - 1)).contains("Response body: method=GET");
  }

  private static String shown(int limit, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return new LoggedBody(HttpUrl.get("http://h/x"), limit).show(bytes, bytes.length);
  }

  /** TestTruncateBody; what is no text is not shown, either. */
  @Test
  void longBody_isCut() {
    assertThat(shown(1024, "a".repeat(2000)))
        .isEqualTo("a".repeat(1024) + " [truncated 976 bytes]");
    assertThat(shown(1024, "short")).isEqualTo("short");
    assertThat(shown(5, "k8s\u0000\u0001")).isEqualTo("(5 bytes that are not text)");
    assertThat(new LoggedBody(HttpUrl.get("http://h/x"), 3).show("abc".getBytes(UTF_8), 10))
        .isEqualTo("abc [truncated 7 bytes]");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "'{\"token\":\"s\",\"a\":1}' | '{\"token\":\"<masked>\",\"a\":1}'",
        "'{\"bearerToken\" : \"s\\\"s\"}' | '{\"bearerToken\" : \"<masked>\"}'",
        "'{\"PASSWORD\":\"cut off' | '{\"PASSWORD\":\"<masked>\"'",
        "'{\"client-key-data\":\"s\"}' | '{\"client-key-data\":\"<masked>\"}'",
        "'{\"name\":\"token\"}' | '{\"name\":\"token\"}'",
      },
      delimiter = '|')
  void secretFields_areMasked(String body, String expected) {
    assertThat(shown(1024, body)).isEqualTo(expected);
  }

  /** TestMaskValue. */
  @ParameterizedTest
  @CsvSource(
      value = {
        "Authorization|Basic YWxhZGRpbjpvcGVuc2VzYW1l|Basic <masked>",
        "Authorization|basic|basic",
        "Authorization|Basic|Basic",
        "Authorization|Bearer cn389ncoiwuencr|Bearer <masked>",
        "Authorization|Bearer|Bearer",
        "authorization|bearer|bearer",
        "Authorization|'bearer '|bearer",
        "Authorization|Negotiate cn389ncoiwuencr|Negotiate <masked>",
        "ABC|Negotiate cn389ncoiwuencr|Negotiate cn389ncoiwuencr",
        "Authorization|Negotiate|Negotiate",
        "Authorization|'Negotiate '|Negotiate",
        "Authorization|abc cn389ncoiwuencr|<masked>",
        "Authorization|''|''",
        "Set-Cookie|session=1|<masked>",
      },
      delimiter = '|')
  void header_isMasked(String name, String value, String expected) {
    assertThat(RequestLog.mask(name, value)).isEqualTo(expected);
  }
}
