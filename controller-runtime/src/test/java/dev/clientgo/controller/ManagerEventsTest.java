package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events that reconcilers and the manager itself record. */
final class ManagerEventsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", "x", c -> c.data(Map.of("a", "1"))));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static Controller recording(String name, List<String> done) {
    return Controller.builder(
            (request, context) -> {
              ConfigMap map = context.client().resource(ConfigMap.TYPE).find(request).orElseThrow();
              context.events().normal(map, "Seen", "Reconcile", "saw %s", request.name());
              done.add(request.name());
              return Result.done();
            })
        .forKind(ConfigMap.TYPE)
        .named(name)
        .build();
  }

  private List<Event> events() throws InterruptedException {
    return client.resource(Event.TYPE).list(Selector.everything()).items();
  }

  /** The last events are sent before close returns, though nothing has waited for them. */
  @Test
  void event_isOnTheServerWhenTheManagerIsClosed_withTheNameOfTheController() throws Exception {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    try (Manager manager = Manager.create(client)) {
      manager.add(recording("map controller", done));
      manager.start();
      Eventually.await("a reconcile", () -> !done.isEmpty());
    }

    Event event = events().get(0);
    assertThat(event.reportingController()).isEqualTo("map-controller");
    assertThat(event.note()).isEqualTo("saw x");
    assertThat(event.regarding().name()).isEqualTo("x");
  }

  @Test
  void recorders_canBeThoseOfATest_whichIsToldTheController() throws Exception {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    List<String> names = Collections.synchronizedList(new ArrayList<>());
    FakeRecorder events = FakeRecorder.create();
    try (Manager manager =
        Manager.builder(client)
            .events(
                name -> {
                  names.add(name);
                  return events;
                })
            .build()) {
      manager.add(recording("maps", done));
      manager.start();
      assertThat(events.await("Seen", LIMIT).note()).isEqualTo("saw x");
    }

    assertThat(names).containsExactly("maps");
    assertThat(events()).isEmpty();
  }

  @Test
  void leader_recordsThatItLeadsAndThatItStops() throws Exception {
    try (Manager manager =
        Manager.builder(client).leaderElection(LeaseLock.of("default", "operator")).build()) {
      manager.add(recording("maps", new ArrayList<>()));
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
    }

    assertThat(events())
        .filteredOn(event -> "LeaderElection".equals(event.reason()))
        .allMatch(event -> "operator".equals(event.reportingController()))
        .extracting(event -> event.note().replaceAll("^\\S+ ", ""))
        .contains("became leader", "stopped leading");
  }
}
