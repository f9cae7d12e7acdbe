package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole pipeline, with real threads. */
@Timeout(30)
final class SharedIndexInformerTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  private final FakeServer server = new FakeServer();
  private final RecordingHandler handler = new RecordingHandler();

  @Test
  void events_reachCacheAndHandlerInOrder() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    try (SharedIndexInformer<ApiObject> informer = SharedIndexInformer.builder(server).build()) {
      ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
      informer.start();

      assertThat(informer.awaitSynced(SOON)).isTrue();
      assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
      assertThat(informer.indexer().listKeys()).containsExactlyInAnyOrder("default/a", "default/b");

      server.put("default/c");
      server.put("default/a");
      server.delete("default/b");

      assertThat(handler.await(5))
          .containsExactly(
              "add default/a@1 initial",
              "add default/b@2 initial",
              "add default/c@3",
              "update default/a@1 4",
              "delete default/b@5");
      assertThat(informer.awaitResourceVersion("5", SOON)).isTrue();
      assertThat(informer.indexer().listKeys()).containsExactlyInAnyOrder("default/a", "default/c");
    }
    assertThat(server.openWatches()).isZero();
  }

  @Test
  void streamingNotSupported_listsAndWatches() throws InterruptedException {
    server.put("default/a");
    server.watchListUnsupported(true);
    try (SharedIndexInformer<ApiObject> informer = SharedIndexInformer.builder(server).build()) {
      informer.addEventHandler(handler);
      informer.start();
      server.put("default/b");

      assertThat(handler.await(2)).hasSize(2);
      assertThat(server.requests().get(0).isWatch()).isFalse();
      assertThat(server.listedVersions()).containsExactly("0");
    }
  }

  @Test
  void streamRefused_listsAndWatches() throws InterruptedException {
    server.put("default/a");
    server.onRequest(
        request -> {
          if (request.options().sendInitialEvents() != null) {
            throw FakeServer.error("Invalid", 422, "sendInitialEvents is forbidden");
          }
          return request;
        });
    try (SharedIndexInformer<ApiObject> informer = SharedIndexInformer.builder(server).build()) {
      informer.addEventHandler(handler);
      informer.start();

      assertThat(handler.await(1)).containsExactly("add default/a@1 initial");
      assertThat(server.listedVersions()).containsExactly("0");
    }
  }
}
