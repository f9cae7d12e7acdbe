package dev.clientgo.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a broadcaster does with a server. */
@Timeout(300)
abstract class EventContract {

  private static final Duration LONG = Duration.ofSeconds(60);

  abstract RESTClient client();

  private ConfigMap object(String name) throws InterruptedException {
    return client().resource(ConfigMap.TYPE).create(ConfigMap.of("default", name, map -> {}));
  }

  private List<Event> eventsAbout(ObjectReference object) throws InterruptedException {
    ResourceClient<Event> events = client().resource(Event.TYPE).inNamespace("default");
    return events
        .list(
            ListOptions.builder()
                .fieldSelector(
                    EventFieldSelector.of(Event.TYPE.kind().groupVersion(), object).toString())
                .build())
        .items();
  }

  private List<dev.clientgo.kubernetes.core.v1.Event> coreEvents(String name)
      throws InterruptedException {
    return client()
        .resource(dev.clientgo.kubernetes.core.v1.Event.TYPE)
        .inNamespace("default")
        .list(ListOptions.builder().fieldSelector("involvedObject.name=" + name).build())
        .items();
  }

  @Test
  void tenThousandRepetitions_areOneEvent() throws InterruptedException {
    ConfigMap object = object("repeated");
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client())) {
      EventRecorder recorder = broadcaster.recorder("example.com/foo-controller");
      for (int i = 0; i < 10_000; i++) {
        recorder.warning(object, "Failed", "Reconcile", "attempt %d", i);
      }
      assertThat(broadcaster.flush(LONG)).isTrue();

      assertThat(broadcaster.stats().sent()).isBetween(2L, 3L);
      assertThat(broadcaster.stats().failed()).isZero();
    }
    assertThat(eventsAbout(ObjectReferences.of(object)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.series()).isNotNull();
              assertThat(event.series().count()).isEqualTo(10_000);
              assertThat(event.note()).isEqualTo("attempt 0");
              assertThat(event.reportingController()).isEqualTo("example.com/foo-controller");
              assertThat(event.regarding()).isEqualTo(ObjectReferences.of(object));
            });
  }

  /** The limits of the server, and the characters that it does not like in names. */
  @Test
  void extremes_areAccepted() throws InterruptedException {
    ConfigMap object = object("extreme");
    Unstructured node =
        Unstructured.parseYaml("{apiVersion: v1, kind: Node, metadata: {name: 'Node:1', uid: u}}")
            .get(0);
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client())) {
      EventRecorder recorder = broadcaster.recorder("c".repeat(63));
      recorder.eventf(
          object, node, "Normal", "R".repeat(128), "A".repeat(128), "%s", "😀".repeat(1000));
      recorder.normal(node, "Seen", "Look", "a node has no namespace");
      recorder.normal(object, "Empty", "Look", "");
      assertThat(broadcaster.flush(LONG)).isTrue();

      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(3, 3, 0, 0, 0));
    }
    assertThat(eventsAbout(ObjectReferences.of(node)))
        .extracting(event -> event.metadata().namespace())
        .containsExactly("default");
  }

  @Test
  void series_whoseEventIsGone_isCreatedAgain() throws InterruptedException {
    ConfigMap object = object("deleted");
    ResourceClient<Event> events = client().resource(Event.TYPE).inNamespace("default");
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client())) {
      EventRecorder recorder = broadcaster.recorder("foo-controller");
      recorder.normal(object, "Seen", "Look", "note");
      assertThat(broadcaster.flush(LONG)).isTrue();
      events.delete(
          String.valueOf(eventsAbout(ObjectReferences.of(object)).get(0).metadata().name()));
      recorder.normal(object, "Seen", "Look", "note");
      assertThat(broadcaster.flush(LONG)).isTrue();
    }

    assertThat(eventsAbout(ObjectReferences.of(object)))
        .singleElement()
        .satisfies(event -> assertThat(event.series().count()).isEqualTo(2));
  }

  @Test
  void namespaceThatIsMissing_isAFailure() throws InterruptedException {
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client())) {
      broadcaster
          .recorder("foo-controller")
          .normal(
              ObjectReference.of(
                  o -> o.apiVersion("v1").kind("ConfigMap").namespace("nowhere").name("a")),
              "Seen",
              "Look",
              "note");
      assertThat(broadcaster.flush(LONG)).isTrue();

      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
    }
  }

  @Test
  void coreEvents_areCounted_andCombined() throws InterruptedException {
    ConfigMap object = object("core");
    try (EventBroadcaster broadcaster = EventBroadcaster.coreV1(client())) {
      EventRecorder recorder = broadcaster.recorder("foo-controller");
      for (int i = 0; i < 5; i++) {
        recorder.normal(object, "Same", "Look", "x".repeat(2000));
      }
      for (int i = 0; i < 12; i++) {
        recorder.warning(object, "Similar", "Look", "message %d", i);
      }
      assertThat(broadcaster.flush(LONG)).isTrue();

      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(17, 17, 0, 0, 0));
    }
    List<dev.clientgo.kubernetes.core.v1.Event> events = coreEvents("core");
    assertThat(events).hasSize(11);
    assertThat(events)
        .filteredOn(event -> event.reason().equals("Same"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.count()).isEqualTo(5);
              assertThat(event.message()).hasSize(2000);
            });
    assertThat(events)
        .filteredOn(event -> event.message().startsWith("(combined"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.count()).isEqualTo(3);
              assertThat(event.message()).isEqualTo("(combined from similar events): message 11");
            });
  }

  /** The dynamic client sees what the typed one wrote. */
  @Test
  void event_onTheWire_hasNoDeprecatedFields() throws InterruptedException {
    ConfigMap object = object("wire");
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client())) {
      broadcaster.recorder("foo-controller").normal(object, "Seen", "Look", "note");
      assertThat(broadcaster.close(LONG)).isTrue();
    }
    String name = String.valueOf(eventsAbout(ObjectReferences.of(object)).get(0).metadata().name());
    Unstructured event =
        client()
            .dynamic(new GroupVersionResource("events.k8s.io", "v1", "events"))
            .inNamespace("default")
            .get(name);

    assertThat(name).startsWith("wire.");
    assertThat(event.nestedString("eventTime")).isPresent();
    assertThat(event.nestedString("action")).contains("Look");
    assertThat(event.nestedString("deprecatedFirstTimestamp")).isEmpty();
    assertThat(event.nestedString("deprecatedSource", "component")).isEmpty();
  }
}
