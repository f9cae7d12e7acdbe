package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.URLBackoff;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Throttling, backoff and metrics: in which order, and when. */
@Timeout(300)
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

  private RequestRateLimiter limiter(Duration wait) {
    return () -> {
      log.add("limiter");
      return wait;
    };
  }

  /**
   * The order of calls in TestRequestDoWithRetryInvokeOrder and
   * TestRequestDoRetryWithRateLimiterBackoffAndMetrics.
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

  /** Its requests alone go to both, and it shares the connections. */
  @Test
  void clientMeasuredBy_moreMetrics_reportsToBoth() throws Exception {
    server.enqueue(fine(), busy(0), fine(), fine());
    try (RESTClient client = client().metrics(metrics).build()) {
      RequestMetrics more =
          new RequestMetrics() {
            @Override
            public void attempted(Attempt attempt, int code, Duration latency) {
              log.add("more " + code);
            }
          };
      try (RESTClient view = client.measuredBy(more)) {
        client.get().absPath("/a").execute();
        view.get().absPath("/b").execute();
      }
      client.get().absPath("/c").execute();
    }

    assertThat(log)
        .containsExactly(
            "1 GET /a 200",
            "1 GET /b 503",
            "more 503",
            "retry 503",
            "2 GET /b 200",
            "more 200",
            "1 GET /c 200");
  }

  /**
   * TestRequestDoRetryWithRateLimiterBackoffAndMetrics and those of a watch and a stream, both
   * cases of each: what the server asks for is the longer wait, and what the backoff does.
   */
  @ParameterizedTest
  @CsvSource({"do, 5", "watch, 5", "stream, 5", "do, 2", "watch, 2", "stream, 2"})
  void retry_ofAnyCall_waitsForTheLonger(String call, int retryAfter) throws Exception {
    server.enqueue(busy(retryAfter), fine());
    URLBackoff backoff = URLBackoff.of(Duration.ofSeconds(4), Duration.ofSeconds(60));
    try (RESTClient client =
        client().rateLimiter(limiter(Duration.ZERO)).backoff(backoff).metrics(metrics).build()) {
      Request request = client.get().absPath("/x").maxRetries(1);
      switch (call) {
        case "do" -> request.execute();
        case "watch" -> request.watch(Unstructured.CODEC, DecodeContext.create()).close();
        default -> request.stream().close();
      }
    }

    List<String> first = call.equals("watch") ? List.of() : List.of("limiter");
    assertThat(log.subList(0, first.size())).isEqualTo(first);
    assertThat(log.subList(first.size(), log.size()))
        .containsExactly("1 GET /x 503", "retry 503", "limiter", "2 GET /x 200");
    assertThat(clock.sleeps()).containsExactly(Duration.ofSeconds(Math.max(4, retryAfter)));
    assertThat(backoff.delay("127.0.0.1:" + server.mock().getPort())).isZero();
  }

  /** TestRequestWatchWithRetryInvokeOrder: a watch takes a turn only when it is tried again. */
  @Test
  void watch_takesNoTurn_untilItIsTriedAgain() throws Exception {
    server.enqueue(busy(1), TestServer.json(200, ""));
    try (RESTClient client =
        client().rateLimiter(limiter(Duration.ZERO)).metrics(metrics).build()) {
      client.get().absPath("/x").watch(Unstructured.CODEC, DecodeContext.create()).close();
    }

    assertThat(log).containsExactly("1 GET /x 503", "retry 503", "limiter", "2 GET /x 200");
  }

  /** TestTryThrottleWithInfoContextDeadline: who is interrupted is told that, and nothing else. */
  @Test
  void interruption_whileWaitingForOurTurn_isThatAlone() throws Exception {
    try (RESTClient client =
        RESTClient.builder(server.config().build())
            .rateLimiter(limiter(Duration.ofMinutes(10)))
            .build()) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("sleep").interrupt();

      assertThat(call.failure()).isExactlyInstanceOf(InterruptedException.class);
    }
    assertThat(server.requestCount()).isZero();
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

  /** A request that gives up its turn must not delay the requests behind it. */
  @Test
  void turnBehindTheDeadline_isGivenBack() throws Exception {
    RequestRateLimiter bucket = RequestRateLimiter.tokenBucket(1, 1, clock);
    server.always(fine());
    try (RESTClient client = client().rateLimiter(bucket).build()) {
      client.get().absPath("/x").execute();
      for (int i = 0; i < 100; i++) {
        Request request = client.get().absPath("/x").timeout(Duration.ofMillis(10));
        assertThatThrownBy(request::execute).isInstanceOf(TransportException.class);
      }
      client.get().absPath("/x").execute();
    }

    assertThat(clock.sleeps()).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void interruption_whileWaitingForOurTurn_givesItBack() throws Exception {
    RequestRateLimiter given =
        new RequestRateLimiter() {
          @Override
          public Duration reserve() {
            return Duration.ofMinutes(10);
          }

          @Override
          public void cancel() {
            log.add("cancel");
          }
        };
    try (RESTClient client =
        RESTClient.builder(server.config().build()).rateLimiter(given).build()) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("sleep").interrupt();

      assertThat(call.failure()).isExactlyInstanceOf(InterruptedException.class);
    }
    assertThat(log).containsExactly("cancel");
  }

  @Test
  void backoffBehindTheDeadline_isATimeout_andNothingIsSent() throws Exception {
    server.always(TestServer.json(500, ""));
    URLBackoff backoff = URLBackoff.of(Duration.ofMinutes(3), Duration.ofMinutes(60));
    try (RESTClient client = client().backoff(backoff).build()) {
      Request request = client.get().absPath("/x").timeout(Duration.ofMinutes(1));
      assertThatThrownBy(request::execute).isInstanceOf(ApiStatusException.class);

      assertThatThrownBy(request::execute)
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT))
          .hasMessageContaining("backoff of this client");
    }
    assertThat(server.requestCount()).isEqualTo(1);
    assertThat(clock.sleeps()).isEmpty();
  }

  @Test
  void failure_isMeasured_withoutAStatus() throws Exception {
    try (RefusingPort port = new RefusingPort();
        RESTClient client =
            RESTClient.builder(RestConfig.builder("http://127.0.0.1:" + port.number()).build())
                .metrics(metrics)
                .build()) {
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
      backoff.update("a", code, 0);
      delays.add(backoff.delay("a"));
    }

    assertThat(delays).extracting(Duration::toSeconds).containsExactly(0L, 1L, 2L, 3L, 0L, 1L, 0L);
    // TestURLBackoffFunctionalityCollisions: another port is another server.
    backoff.update("a:1", 500, 0);
    assertThat(backoff.delay("a:2")).isZero();
  }

  /** TestBackoffReset in util/flowcontrol/backoff_test.go. */
  @Test
  void backoff_ofLongAgo_doesNotCount() {
    URLBackoff backoff = URLBackoff.of(Duration.ofSeconds(1), Duration.ofSeconds(8));
    backoff.update("a", 500, 0);
    backoff.update("a", 500, Duration.ofSeconds(16).toNanos());
    assertThat(backoff.delay("a")).isEqualTo(Duration.ofSeconds(2));

    backoff.update("a", 500, Duration.ofSeconds(33).toNanos());
    assertThat(backoff.delay("a")).isEqualTo(Duration.ofSeconds(1));
  }

  /** TestURLBackoffFunctionalityCollisions, of a client. */
  @Test
  void backoff_ofOneServer_holdsBackNoOtherOfThatHost() throws Exception {
    URLBackoff shared = URLBackoff.of(Duration.ofSeconds(3), Duration.ofSeconds(60));
    server.enqueue(TestServer.json(500, ""));
    try (TestServer other = TestServer.start(TestServer.Wire.HTTP_1_1).enqueue(fine());
        RESTClient one = client().backoff(shared).build();
        RESTClient two =
            RESTClient.builder(other.config().build())
                .clock(clock, Timeouts.STANDARD)
                .backoff(shared)
                .build()) {
      assertThatThrownBy(() -> one.get().absPath("/x").execute())
          .isInstanceOf(ApiStatusException.class);
      two.get().absPath("/x").execute();
    }
    assertThat(clock.sleeps()).isEmpty();
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

  /** TestBasicThrottle and TestIncrementThrottle in util/flowcontrol/throttle_test.go. */
  @Test
  void tokenBucket_givesABurst_thenOneATime() {
    FakeClock time = FakeClock.create();
    RequestRateLimiter bucket = RequestRateLimiter.tokenBucket(10, 2, time);

    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(100));
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(200));
    time.advance(Duration.ofSeconds(10));
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isZero();
    assertThat(bucket.reserve()).isPositive();
    assertThatThrownBy(() -> RequestRateLimiter.tokenBucket(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** TestMultithreadedThrottling: who comes at the same time has nevertheless a turn of his own. */
  @Test
  void tokenBucket_ofManyThreads_givesEachItsTurn() throws Exception {
    RequestRateLimiter bucket = RequestRateLimiter.tokenBucket(100, 1, FakeClock.create());
    List<TestThread<List<Duration>>> threads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      threads.add(TestThread.start(() -> Stream.generate(bucket::reserve).limit(10).toList()));
    }
    List<Long> turns = new ArrayList<>();
    for (TestThread<List<Duration>> thread : threads) {
      thread.result().forEach(turn -> turns.add(turn.plusNanos(500).toMillis()));
    }

    assertThat(turns)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 100).mapToObj(i -> i * 10).toList());
  }

  /** TestRatePrecisionBug: what is left of a token is not lost. */
  @Test
  void tokenBucket_isExact() {
    FakeClock time = FakeClock.create();
    RequestRateLimiter bucket = RequestRateLimiter.tokenBucket(1_000_000 / 1_031_425.0, 1, time);
    for (int i = 0; i < 60; i++) {
      assertThat(bucket.reserve()).as("after %d s", 2 * i).isZero();
      time.advance(Duration.ofSeconds(2));
    }
  }

  /** TestRESTClientLimiter. Unlike there, a client limits nothing by itself: servers do. */
  @Test
  void client_limitsNothingByItself() {
    assertThat(RequestPolicies.standard().limiter().reserve()).isZero();
    RequestRateLimiter given = limiter(Duration.ZERO);
    assertThat(RequestPolicies.standard().withLimiter(given).limiter()).isSameAs(given);
    assertThat(RequestPolicies.standard().backoff().delay("a")).isZero();
  }

  /** TestCreateBackoffManager in rest/client_test.go. */
  @ParameterizedTest
  @CsvSource({
    "1, 10, PT1S",
    "'', '', PT0S",
    "1, '', PT0S",
    "'', 1, PT0S",
    "1, a, PT0S",
    "a, 1, PT0S",
    "-1, 1, PT0S",
  })
  void environment_asksForBackoff(String base, String duration, Duration expected) {
    URLBackoff backoff =
        URLBackoff.of(
            Map.of("KUBE_CLIENT_BACKOFF_BASE", base, "KUBE_CLIENT_BACKOFF_DURATION", duration));

    backoff.update("a", 500, 0);

    assertThat(backoff.delay("a")).isEqualTo(expected);
  }

  /**
   * TestURLTemplate: what has many values is replaced, so that a metric can be labelled with it.
   */
  @Test
  void template_namesNoObject() throws Exception {
    List<String> templates = new ArrayList<>();
    RequestMetrics labels =
        new RequestMetrics() {
          @Override
          public void attempted(Attempt attempt, int code, Duration latency) {
            templates.add(attempt.template());
          }
        };
    GroupVersion apps = new GroupVersion("apps", "v1");
    GroupVersion core = new GroupVersion("", "v1");
    server.always(fine());
    try (RESTClient client = client().metrics(labels).build()) {
      client.get().groupVersion(core).resource("Pods").namespace("ns").name("n").execute();
      client.get().groupVersion(core).resource("namespaces").name("n").param("p", "v").execute();
      client.get().groupVersion(apps).resource("deployments").execute();
      client
          .put()
          .groupVersion(apps)
          .resource("deployments")
          .namespace("ns")
          .name("n")
          .subResource("scale")
          .suffix("a", "b")
          .execute();
      client.get().absPath("/some/base/path").execute();
      client.get().execute();
    }

    assertThat(templates)
        .containsExactly(
            "/api/v1/namespaces/{namespace}/pods/{name}",
            "/api/v1/namespaces/{name}",
            "/apis/apps/v1/deployments",
            "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale/{suffix}",
            "/{prefix}",
            "/");
  }

  /** Each attempt has its sizes, and a watch all that was read of it. */
  @Test
  void sizes_areKnownWhenTheAnswerHasBeenRead() throws Exception {
    List<String> sizes = new CopyOnWriteArrayList<>();
    RequestMetrics transfers =
        new RequestMetrics() {
          @Override
          public void transferred(Attempt attempt, long sent, long received) {
            sizes.add(attempt.number() + ": " + sent + " " + received);
          }
        };
    server.enqueue(
        busy(1).newBuilder().body("12345").build(), fine(), TestServer.json(200, "\n\n\n"));
    try (RESTClient client = client().metrics(transfers).build()) {
      client.post().absPath("/x").body(new byte[7], "text/plain").execute();
      try (var watch =
          client.get().absPath("/x").watch(Unstructured.CODEC, DecodeContext.create())) {
        assertThat(watch.next()).isEmpty();
        assertThat(watch.next()).isEmpty();
      }
    }

    assertThat(sizes).containsExactly("1: 7 5", "2: 7 2", "1: 0 3");
  }

  /** A server that asks for more patience than there is has said its last word. */
  @Test
  void retry_behindTheDeadline_isNotWaitedFor() throws Exception {
    server.always(busy(60));
    try (RESTClient client = client().build()) {
      Request request = client.get().absPath("/x").timeout(Duration.ofSeconds(30));

      assertThatThrownBy(request::execute)
          .isInstanceOfSatisfying(
              ApiStatusException.class,
              e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(60)));
    }
    assertThat(server.requestCount()).isEqualTo(1);
    assertThat(clock.sleeps()).isEmpty();
  }

  /** As upstream's typed clients: the deadline of a watch is that of its options, and some more. */
  @Test
  void watchThatTheServerDoesNotEnd_endsByItself() throws Exception {
    List<EndlessBody> bodies = new CopyOnWriteArrayList<>();
    List<String> watches = new CopyOnWriteArrayList<>();
    server
        .mock()
        .setDispatcher(
            new Dispatcher() {
              @Override
              public MockResponse dispatch(RecordedRequest request) {
                if (!request.getTarget().contains("watch=true")) {
                  return TestServer.json(500, "");
                }
                watches.add(request.getTarget());
                bodies.add(new EndlessBody(TestServer.Wire.HTTP_1_1).send("\n"));
                return bodies.get(bodies.size() - 1).response();
              }
            });
    try {
      Patience.grow(Duration.ofSeconds(1), this::watchIsOpenBeforeItEnds);
      assertThat(watches).isNotEmpty().allMatch(target -> target.contains("timeoutSeconds="));
    } finally {
      bodies.forEach(EndlessBody::end);
    }
  }

  private boolean watchIsOpenBeforeItEnds(Duration left) throws Exception {
    // The clock goes on by this before the watch is sent, so that no more is left.
    URLBackoff backoff = URLBackoff.of(Duration.ofSeconds(10), Duration.ofMinutes(1));
    ListOptions options = ListOptions.builder().timeout(left).build();
    try (RESTClient client = client().backoff(backoff).build()) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(ApiStatusException.class);
      try (var watch = client.dynamic(new GroupVersionResource("", "v1", "pods")).watch(options)) {
        return watch.next().isEmpty(); // Or else an event says that it could not be opened.
      }
    }
  }

  /** As upstream's typed clients: what concerns many objects is bounded by its options. */
  @Test
  void list_tellsItsTimeout() throws Exception {
    String list = "{\"kind\":\"PodList\",\"items\":[]}";
    String table = "{\"kind\":\"Table\",\"columnDefinitions\":[],\"rows\":[]}";
    server.enqueue(TestServer.json(200, list), fine(), TestServer.json(200, table));
    ListOptions options = ListOptions.builder().timeout(Duration.ofSeconds(7)).build();
    GroupVersionResource pods = new GroupVersionResource("", "v1", "pods");
    try (RESTClient client = client().build()) {
      client.dynamic(pods).list(options);
      client.dynamic(pods).deleteCollection(options);
      client.table(pods).list(options);
    }

    for (int i = 0; i < 3; i++) {
      assertThat(server.takeRequest().getTarget()).endsWith("?timeout=7s&timeoutSeconds=7");
    }
  }
}
