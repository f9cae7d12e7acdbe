package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.clock.FakeClock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Throttling, backoff and metrics: in which order, and when. */
@Timeout(30)
final class PoliciesTest {

  private final RecordingClock clock = new RecordingClock();
  private final List<String> log = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RESTClient.Builder client() {
    return RESTClient.builder(server.config().build()).clock(clock, Timeouts.STANDARD);
  }

  private static MockResponse busy(int seconds) {
    return new MockResponse.Builder()
        .code(503)
        .addHeader("Retry-After", Integer.toString(seconds))
        .build();
  }

  private static MockResponse fine() {
    return TestServer.json(200, "{}");
  }

  private final RequestMetrics metrics =
      new RequestMetrics() {
        @Override
        public void attempted(Attempt attempt, int code, Duration latency) {
          log.add(attempt.number() + " " + attempt.method() + " " + attempt.path() + " " + code);
        }

        @Override
        public void retried(Attempt attempt, int code) {
          log.add("retry " + code);
        }

        @Override
        public void throttled(Attempt attempt, Duration wait) {
          log.add("throttled " + wait.toMillis());
        }
      };

  private RateLimiter limiter(Duration wait) {
    return () -> {
      log.add("limiter");
      return wait;
    };
  }

  /**
   * The order of calls in TestRequestWithRetry and
   * TestRetryRequestWithRateLimiterBackoffAndMetrics.
   */
  @Test
  void attempts_waitForTheirTurnEach_andAreMeasured() throws Exception {
    server.enqueue(busy(2), fine());
    try (RESTClient client =
        client().rateLimiter(limiter(Duration.ofMillis(5))).metrics(metrics).build()) {
      client.get().absPath("/x").execute();
    }

    assertThat(log)
        .containsExactly(
            "limiter",
            "throttled 5",
            "1 GET /x 503",
            "retry 503",
            "limiter",
            "throttled 5",
            "2 GET /x 200");
    assertThat(clock.sleeps())
        .containsExactly(Duration.ofMillis(5), Duration.ofSeconds(2), Duration.ofMillis(5));
  }

  /** As upstream, a watch takes a turn only when it is tried again. */
  @Test
  void watch_takesNoTurn_untilItIsTriedAgain() throws Exception {
    server.enqueue(busy(1), TestServer.json(200, ""));
    try (RESTClient client =
        client().rateLimiter(limiter(Duration.ZERO)).metrics(metrics).build()) {
      client.get().absPath("/x").watch(Unstructured.CODEC, DecodeContext.create()).close();
    }

    assertThat(log).containsExactly("1 GET /x 503", "retry 503", "limiter", "2 GET /x 200");
  }

  @Test
  void turnBehindTheDeadline_isATimeout_andNothingIsSent() throws Exception {
    try (RESTClient client = client().rateLimiter(limiter(Duration.ofMinutes(1))).build()) {
      Request request = client.get().absPath("/x").timeout(Duration.ofSeconds(1));

      assertThatThrownBy(request::execute)
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT))
          .hasMessageContaining("rate limit of this client");
    }
    assertThat(server.requestCount()).isZero();
  }

  @Test
  void failure_isMeasured_withoutAStatus() throws Exception {
    String url = server.url();
    server.close();
    try (RESTClient client =
        RESTClient.builder(RestConfig.builder(url).build()).metrics(metrics).build()) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(TransportException.class);
    }
    assertThat(log).containsExactly("1 GET /x 0");
  }

  @Test
  void metricsThatThrow_failNoRequest() throws Exception {
    server.enqueue(fine());
    RequestMetrics bad =
        new RequestMetrics() {
          @Override
          public void attempted(Attempt attempt, int code, Duration latency) {
            throw new ArithmeticException("mine");
          }
        };
    try (RESTClient client = client().metrics(bad).build()) {
      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
    }
  }

  /** TestURLBackoffFunctionality in rest/urlbackoff_test.go. */
  @Test
  void backoff_doublesUpToItsLimit_andEndsWithAnyOtherAnswer() {
    URLBackoff backoff = URLBackoff.of(Duration.ofSeconds(1), Duration.ofSeconds(3));
    List<Duration> delays = new ArrayList<>();
    for (int code : new int[] {200, 429, 500, 503, 404, 500, 0}) {
      backoff.update("a", code);
      delays.add(backoff.delay("a"));
    }

    assertThat(delays).extracting(Duration::toSeconds).containsExactly(0L, 1L, 2L, 3L, 0L, 1L, 0L);
    backoff.update("a", 500);
    assertThat(backoff.delay("b")).isZero();
  }

  @Test
  void backoff_holdsTheNextRequestBack_andTheLongerWaitCounts() throws Exception {
    server.enqueue(TestServer.json(500, ""), busy(1), fine());
    URLBackoff backoff = URLBackoff.of(Duration.ofSeconds(3), Duration.ofSeconds(60));
    try (RESTClient client = client().backoff(backoff).build()) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(ApiStatusException.class);
      client.get().absPath("/x").execute();
    }

    assertThat(clock.sleeps()).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(6));
  }

  /** TestBasicThrottle and TestSimpleExhaust in util/flowcontrol/throttle_test.go. */
  @Test
  void tokenBucket_givesABurst_thenOneATime() {
    FakeClock time = FakeClock.create();
    TokenBucket bucket = new TokenBucket(10, 2, time);

    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(100));
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(200));
    time.advance(Duration.ofSeconds(10));
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isPositive();
    assertThatThrownBy(() -> RateLimiter.tokenBucket(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void client_limitsNothingByItself() {
    assertThat(Policies.standard().limiter().reserve()).isZero();
    assertThat(Policies.standard().backoff().delay("a")).isZero();
  }
}
