package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.events.RecordingSink.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which errors are tried again, when, and how often. */
@Timeout(300)
final class EventRetryTest {

  private static final GroupResource EVENTS = new GroupResource("events.k8s.io", "events");
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration MAX_PAUSE = Duration.ofMillis(12_500);

  /** The cases of Go's {@code TestWriteEventError}, and those that differ here. */
  static Stream<Arguments> errors() {
    return Stream.of(
        argumentSet("a request that cannot be made", new IllegalArgumentException("bad"), 1),
        argumentSet("a status", new ApiStatusException(Status.builder().build()), 1),
        argumentSet("a status of 500", ApiStatusException.internalError("etcd"), 1),
        argumentSet("a status of 429", ApiStatusException.tooManyRequests("busy", 1), 1),
        argumentSet("an existing object", ApiStatusException.alreadyExists(EVENTS, "foo"), 1),
        argumentSet("a closed client", new TransportException(Kind.CLIENT_CLOSED, "x", null), 1),
        argumentSet(
            "an answer of another type", CodecException.malformed("not an event", "", 0, null), 12),
        argumentSet("no connection", away(), 12),
        argumentSet("a proxy without a server", fromProxy(502), 12),
        argumentSet("a proxy that refuses", fromProxy(403), 1));
  }

  private static RuntimeException away() {
    return new TransportException(Kind.CONNECTION_REFUSED, "nobody there", null);
  }

  private static ApiStatusException fromProxy(int code) {
    return ApiStatusException.genericServerResponse(
        code, "POST", EVENTS, "", "<html>", 0, /* isUnexpectedResponse= */ true);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void series_isTried(RuntimeException error, int attempts) throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.failWith(request -> error);
      test.recorder.normal(pod("foo"), "A", "B", "note");
      for (int attempt = 1; attempt < attempts; attempt++) {
        test.sink.awaitSent(attempt);
        test.clock.awaitWaiters(2); // One of them forgets events.
        test.clock.advance(MAX_PAUSE);
      }
      test.flush();

      assertThat(test.sink.sent()).hasSize(attempts);
      assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void core_isTried(RuntimeException error, int attempts) throws InterruptedException {
    try (Broadcasters test = Broadcasters.core()) {
      test.coreSink.failWith(request -> error);
      test.recorder.normal(pod("foo"), "A", "B", "note");
      for (int attempt = 1; attempt < attempts; attempt++) {
        test.coreSink.awaitSent(attempt);
        test.clock.awaitWaiters(1);
        test.clock.advance(PAUSE);
      }
      test.flush();

      assertThat(test.coreSink.sent()).hasSize(attempts);
    }
  }

  /** The case {@code succeedEventually} of Go's {@code TestWriteEventError}. */
  @Test
  void server_thatComesBack_getsTheEvent() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      AtomicInteger failures = new AtomicInteger(2);
      test.sink.failWith(request -> failures.getAndDecrement() > 0 ? away() : null);
      test.recorder.normal(pod("foo"), "A", "B", "note");
      for (int attempt = 1; attempt <= 2; attempt++) {
        test.sink.awaitSent(attempt);
        test.clock.awaitWaiters(2); // One of them forgets events.
        test.clock.advance(MAX_PAUSE);
      }
      test.flush();

      assertThat(test.sink.sent()).hasSize(3);
      assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 1, 0, 0, 0));
    }
  }

  @Test
  void pause_isTenSecondsAndUpToAQuarterMore() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.failWith(request -> away());
      test.recorder.normal(pod("foo"), "A", "B", "note");
      test.sink.awaitSent(1);
      test.clock.awaitWaiters(2); // One of them forgets events.
      test.clock.advance(PAUSE.minusMillis(1));
      test.clock.awaitWaiters(2);

      assertThat(test.sink.sent()).hasSize(1);
      test.clock.advance(MAX_PAUSE.minus(PAUSE).plusMillis(1));
      assertThat(test.sink.awaitSent(2)).hasSize(2);
    }
  }

  @Test
  void answer_thatWasLost_isNoFailure() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      AtomicInteger attempts = new AtomicInteger();
      test.sink.failWith(
          request ->
              attempts.getAndIncrement() == 0
                  ? away()
                  : ApiStatusException.alreadyExists(EVENTS, "foo"));
      test.recorder.normal(pod("foo"), "A", "B", "note");
      test.sink.awaitSent(1);
      test.clock.awaitWaiters(2); // One of them forgets events.
      test.clock.advance(MAX_PAUSE);
      test.flush();

      assertThat(test.broadcaster.stats().failed()).isZero();
    }
  }

  /** A patch found no event, and the create that followed found one. */
  @Test
  void series_thatExistsAlready_isTriedAgain() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.recorder.normal(pod("foo"), "A", "B", "note");
      test.sink.awaitSent(1);
      test.flush();
      AtomicInteger patches = new AtomicInteger();
      test.sink.failWith(
          request ->
              !request.isCreate() && patches.getAndIncrement() == 0
                  ? ApiStatusException.notFound(EVENTS, "foo")
                  : null);
      test.recorder.normal(pod("foo"), "A", "B", "note");
      test.sink.awaitSent(3);
      test.clock.awaitWaiters(2); // One of them forgets events.
      test.clock.advance(MAX_PAUSE);

      List<? extends Sent<?>> sent = test.sink.awaitSent(4);
      assertThat(sent).extracting(Sent::isCreate).containsExactly(true, false, true, false);
      test.flush();
      assertThat(test.broadcaster.stats().sent()).isEqualTo(2);
    }
  }

  @Test
  void repetition_afterTheServerWasAway_triesAgain() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.failWith(request -> away());
      test.recorder.normal(pod("foo"), "A", "B", "note");
      for (int attempt = 1; attempt < 12; attempt++) {
        test.sink.awaitSent(attempt);
        test.clock.awaitWaiters(2); // One of them forgets events.
        test.clock.advance(MAX_PAUSE);
      }
      test.flush();
      test.sink.failWith(request -> null);
      test.recorder.normal(pod("foo"), "A", "B", "note");
      test.flush();

      assertThat(test.sink.objects()).isEqualTo(1);
    }
  }
}
