package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each function of a user throws whatever it can: the failure is told, no response stays open, and
 * the next request works.
 */
@Timeout(300)
final class FaultInjectionTest {

  /** Where the fault is thrown. */
  private enum Place {
    METRICS_OF_AN_ATTEMPT(true),
    METRICS_OF_A_TRANSFER(true),
    WARNING_HANDLER(true),
    RATE_LIMITER(false),
    INTERCEPTOR_BEFORE(false),
    INTERCEPTOR_AFTER(false),
    TOKEN_SOURCE(false);

    /** Whether the request succeeds anyway. */
    final boolean harmless;

    Place(boolean harmless) {
      this.harmless = harmless;
    }
  }

  /** An exception that cannot be printed. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("no text");
    }
  }

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler log = handler();
  private final Logger logger = Logger.getLogger(RequestPolicies.class.getName());
  private TestServer server;
  private @Nullable Place place;
  private Supplier<Throwable> fault = AssertionError::new;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    logger.addHandler(log);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(log);
    server.close();
  }

  private Handler handler() {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        records.add(record);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private void at(Place here) {
    if (place == here) {
      throwAny(fault.get());
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwAny(Throwable error) throws X {
    throw (X) error;
  }

  private RESTClient client() {
    RestConfig config =
        server
            .config()
            .bearerTokenSource(
                () -> {
                  at(Place.TOKEN_SOURCE);
                  return "t";
                })
            .build();
    return RESTClient.builder(config)
        .metrics(
            new RequestMetrics() {
              @Override
              public void attempted(Attempt attempt, int code, Duration latency) {
                at(Place.METRICS_OF_AN_ATTEMPT);
              }

              @Override
              public void transferred(Attempt attempt, long sent, long received) {
                at(Place.METRICS_OF_A_TRANSFER);
              }
            })
        .warningHandler((code, agent, text) -> at(Place.WARNING_HANDLER))
        .rateLimiter(
            () -> {
              at(Place.RATE_LIMITER);
              return Duration.ZERO;
            })
        .addInterceptor(
            (request, next) -> {
              at(Place.INTERCEPTOR_BEFORE);
              try {
                return next.send(request);
              } finally {
                at(Place.INTERCEPTOR_AFTER);
              }
            })
        .build();
  }

  static Stream<Arguments> userCode_throws_nextRequestWorks() {
    List<Supplier<Throwable>> faults =
        List.of(
            () -> new AssertionError("fault"),
            () -> new IllegalStateException("fault"),
            Hostile::new,
            StackOverflowError::new);
    return Stream.of(Place.values())
        .flatMap(where -> faults.stream().map(what -> Arguments.of(where, what)));
  }

  @ParameterizedTest
  @MethodSource
  void userCode_throws_nextRequestWorks(Place where, Supplier<Throwable> what) throws Exception {
    for (int i = 0; i < 6; i++) {
      server.enqueue(
          new MockResponse.Builder()
              .code(200)
              .addHeader("Warning", "299 - \"old\"")
              .addHeader("Content-Type", "application/json")
              .body("{}")
              .build());
    }
    fault = what;
    try (RESTClient client = client()) {
      // A source that has given a token once is not asked again.
      for (int i = 0; i < (where == Place.TOKEN_SOURCE ? 1 : 2); i++) {
        place = where;
        if (where.harmless) {
          assertThat(client.get().absPath("/x").execute().raw()).isNotEmpty();
        } else {
          assertThatThrownBy(() -> client.get().absPath("/x").execute())
              .isInstanceOfAny(what.get().getClass(), ConfigException.class);
        }
        assertThat(client.transport().openResponses()).isZero();
        place = null;
        assertThat(client.get().absPath("/x").execute().raw()).isNotEmpty();
        assertThat(client.transport().openResponses()).isZero();
      }
    }
  }

  /** Failures of what receives events are in the log, at the powers of two of their number. */
  @Test
  void receiver_throws_isTold() {
    fault = Hostile::new;
    place = Place.METRICS_OF_AN_ATTEMPT;
    RequestPolicies policies =
        RequestPolicies.standard()
            .withMetrics(
                new RequestMetrics() {
                  @Override
                  public void pluginChecked(boolean allowed) {
                    at(Place.METRICS_OF_AN_ATTEMPT);
                  }
                });
    for (int i = 0; i < 10_000 && records.isEmpty(); i++) {
      policies.measure(metrics -> metrics.pluginChecked(true));
    }

    assertThat(records)
        .singleElement()
        .satisfies(
            record ->
                assertThat(record.getMessage())
                    .startsWith("A receiver of a client failed: receiver=RequestMetrics"));
  }

  /** A source that has given a token once may fail in any way: the last token is used. */
  @Test
  void tokenSource_throwsLater_lastTokenIsUsed() throws Exception {
    RecordingClock clock = new RecordingClock();
    List<Supplier<Throwable>> faults = List.of(AssertionError::new, Hostile::new);
    try (RESTClient client =
        RESTClient.builder(client().config())
            .clock(clock, dev.clientgo.rest.internal.net.Timeouts.STANDARD)
            .build()) {
      server.enqueue(TestServer.json(200, "{}"));
      client.get().absPath("/x").execute();
      for (Supplier<Throwable> next : faults) {
        fault = next;
        place = Place.TOKEN_SOURCE;
        clock.advance(Duration.ofSeconds(60));
        server.enqueue(TestServer.json(200, "{}"));
        client.get().absPath("/x").execute();
      }
    }
    for (int i = 0; i <= faults.size(); i++) {
      assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer t");
    }
  }
}
