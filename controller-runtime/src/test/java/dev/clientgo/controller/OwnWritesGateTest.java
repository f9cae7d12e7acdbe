package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that wait for their own writes, in a manager whose clock stands still. */
final class OwnWritesGateTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Request X = new Request("default", "x");

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient rest = RESTClient.create(server.restConfig());
  private final FakeClock clock = FakeClock.create();
  private final Manager manager = Manager.builder(rest).clock(clock).build();

  /** Creates the object if it is missing, and deletes it otherwise. */
  private final RecordingReconciler reconciler =
      new RecordingReconciler(
          (request, context) -> {
            CachedResource<ConfigMap> maps =
                context.client().resource(ConfigMap.TYPE).inNamespace("default");
            if (maps.find(request.name()).isEmpty()) {
              maps.create(ConfigMap.of("default", request.name(), c -> c.data(Map.of("a", "1"))));
            } else {
              maps.delete(request.name());
            }
            return Result.done();
          });

  private final Controller controller =
      Controller.builder(reconciler)
          .named("gated")
          .watches(ConfigMap.TYPE, object -> List.of())
          .waitForOwnWrites(true)
          .build();

  @AfterEach
  void stop() {
    manager.close();
    rest.close();
    server.close();
  }

  private void startSilent() throws InterruptedException {
    manager.add(controller);
    manager.start();
    assertThat(manager.awaitReady(LIMIT)).isTrue();
    server.awaitWatches(1);
    server.watches().forEach(OpenWatch::goSilent);
  }

  /** Waits until all requests before have passed the worker, which takes one after the other. */
  private void settle(String name) throws InterruptedException {
    controller.enqueue(new Request("default", name));
    assertThat(reconciler.next().request().name()).isEqualTo(name);
  }

  @Test
  void requestThatIsHeld_goesOnWithTheEvent_andNotWithATimer() throws Exception {
    startSilent();
    controller.enqueue(X);
    assertThat(reconciler.next().request()).isEqualTo(X);
    controller.enqueue(X);
    settle("other");
    assertThat(reconciler.drain()).isEmpty();

    server.watches().forEach(OpenWatch::resume);

    assertThat(reconciler.next().request()).isEqualTo(X);
  }

  @Test
  void deletion_isWaitedForToo() throws Exception {
    rest.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "x", c -> {}));
    startSilent();
    controller.enqueue(X); // It deletes.
    assertThat(reconciler.next().request()).isEqualTo(X);

    controller.enqueue(X);
    settle("other");
    assertThat(reconciler.drain()).isEmpty();

    server.watches().forEach(OpenWatch::resume);
    assertThat(reconciler.next().request()).isEqualTo(X);
  }

  /** As after the removal of a CustomResourceDefinition: the event never comes. */
  @Test
  void eventThatNeverComes_isGivenUp_andToldOnce() throws Exception {
    startSilent();
    try (CapturedLog log = CapturedLog.of(Controller.class)) {
      for (int i = 0; i < 2; i++) {
        controller.enqueue(X);
        assertThat(reconciler.next().request()).isEqualTo(X);
        controller.enqueue(X);
        settle("other" + i);
        assertThat(reconciler.drain()).isEmpty();
        clock.advance(Duration.ofSeconds(31));
        assertThat(reconciler.next().request()).isEqualTo(X);
      }

      assertThat(log.records(Level.WARNING))
          .filteredOn(record -> record.getMessage().contains("have not shown the writes"))
          .hasSize(1);
    }
  }

  /** The request waited for 30 s, since no watch could bring the event any more. */
  @Test
  void writeInANamespaceThatIsRemoved_isNotWaitedFor() throws Exception {
    rest.resource(Namespace.TYPE).create(Namespace.of("left", n -> {}));
    RecordingReconciler writer =
        new RecordingReconciler(
            (request, context) -> {
              context
                  .client()
                  .resource(ConfigMap.TYPE)
                  .createOrUpdate(
                      ConfigMap.of("left", request.name(), c -> {}),
                      map -> map.with(c -> c.data(Map.of("a", "1"))));
              return Result.done();
            });
    Controller gated =
        Controller.builder(writer)
            .named("gated")
            .watches(ConfigMap.TYPE, object -> List.of())
            .waitForOwnWrites(true)
            .build();
    try (Manager limited =
        Manager.builder(rest).clock(clock).inNamespaces("default", "left").build()) {
      limited.add(gated);
      limited.start();
      assertThat(limited.awaitReady(LIMIT)).isTrue();
      server.awaitWatches(2);
      server.watches().forEach(OpenWatch::goSilent);
      gated.enqueue(X);
      assertThat(writer.next().request()).isEqualTo(X);
      gated.enqueue(X);
      gated.enqueue(new Request("default", "other"));
      assertThat(writer.next().request().name()).as("the other one waits").isEqualTo("other");

      limited.removeNamespace("left");

      assertThat(writer.next().request()).isEqualTo(X);
    }
  }
}
