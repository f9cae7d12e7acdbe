package dev.clientgo.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything against the embedded server, and against one that fails. */
@Timeout(300)
final class EmbeddedEventsTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration MAX_PAUSE = Duration.ofMillis(12_500);

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Nested
  final class Recording extends EventContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Test
  void serverThatIsAwayForAWhile_getsAllEventsInTheEnd() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    try (EmbeddedApiServer other = EmbeddedApiServer.start();
        RESTClient otherClient = RESTClient.create(other.restConfig());
        EventBroadcaster broadcaster = EventBroadcaster.builder(otherClient).clock(clock).build()) {
      EventRecorder recorder = broadcaster.recorder("foo-controller");
      other.stop();
      for (int i = 0; i < 5; i++) {
        recorder.normal(Broadcasters.pod("pod-" + i).with(o -> o.namespace(null)), "A", "B", "c");
      }
      clock.awaitWaiters(5 + 1);
      other.restart();
      clock.advance(MAX_PAUSE);
      assertThat(broadcaster.flush(LONG)).isTrue();

      assertThat(otherClient.resource(Event.TYPE).list().items()).hasSize(5);
      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(5, 5, 0, 0, 0));
    }
  }

  @Test
  void close_whileTheServerHangs_endsAtItsDeadline() throws InterruptedException {
    try (EmbeddedApiServer other = EmbeddedApiServer.start();
        RESTClient otherClient = RESTClient.create(other.restConfig())) {
      other.faults().on(request -> request.verb().equals("create")).always().ignore();
      EventBroadcaster broadcaster = EventBroadcaster.create(otherClient);
      broadcaster.recorder("foo").normal(Broadcasters.pod("pod"), "A", "B", "c");
      other.awaitRequests(1, request -> request.verb().equals("create"));

      assertThat(broadcaster.close(Duration.ofMillis(10))).isFalse();
      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
    }
  }
}
