package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.events.RecordingSink.Sent;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Events of {@code events.k8s.io/v1}: what is sent for a call. */
@Timeout(300)
final class EventBroadcasterTest {

  @AutoClose private final Broadcasters test = Broadcasters.series();

  private static Pod namedPod(String name) {
    return Pod.of("ns1", name, pod -> pod.editMetadata(meta -> meta.uid("12345")));
  }

  /** The cases of Go's {@code TestEventf} of tools/events. */
  static Stream<Arguments> calls() {
    ObjectReference pod1 =
        ObjectReference.of(
            o -> o.apiVersion("v1").kind("Pod").namespace("ns1").name("pod1").uid("12345"));
    String longName = "x".repeat(253 * 4);
    Unstructured address =
        Unstructured.parseYaml(
                """
                apiVersion: networking.k8s.io/v1
                kind: IPAddress
                metadata: {name: "2001:db8::123", uid: "12345"}
                """)
            .get(0);
    return Stream.of(
        argumentSet(
            "normal event",
            Event.of(
                e ->
                    e.metadata(ObjectMeta.builder().namespace("ns1").name("pod1").build())
                        .regarding(pod1)
                        .type("Normal")
                        .reason("Started")
                        .action("starting")
                        .note("Pod started")),
            (Call) r -> r.normal(namedPod("pod1"), "Started", "starting", "Pod started")),
        argumentSet(
            "event with related object and format args",
            Event.of(
                e ->
                    e.metadata(ObjectMeta.builder().namespace("ns1").name("pod1").build())
                        .regarding(pod1)
                        .related(
                            ObjectReference.of(
                                o -> o.apiVersion("v1").kind("Node").name("node1").uid("67890")))
                        .type("Warning")
                        .reason("FailedScheduling")
                        .action("scheduling")
                        .note("Pod failed to schedule on node1: not enough resources")),
            (Call)
                r ->
                    r.eventf(
                        namedPod("pod1"),
                        Node.of(n -> n.editMetadata(m -> m.name("node1").uid("67890"))),
                        "Warning",
                        "FailedScheduling",
                        "scheduling",
                        "Pod failed to schedule on %s: %s",
                        "node1",
                        "not enough resources")),
        argumentSet(
            "event with invalid Event name",
            Event.of(
                e ->
                    e.metadata(ObjectMeta.builder().namespace("default").build())
                        .regarding(
                            ObjectReference.of(
                                o ->
                                    o.apiVersion("networking.k8s.io/v1")
                                        .kind("IPAddress")
                                        .name("2001:db8::123")
                                        .uid("12345")))
                        .type("Warning")
                        .reason("IPAddressNotAllocated")
                        .action("IPAddressAllocation")
                        .note("Service default/test appears to have leaked")),
            (Call)
                r ->
                    r.warning(
                        address,
                        "IPAddressNotAllocated",
                        "IPAddressAllocation",
                        "Service default/test appears to have leaked")),
        argumentSet(
            "large event name",
            Event.of(
                e ->
                    e.metadata(ObjectMeta.builder().namespace("ns1").build())
                        .regarding(pod1.with(o -> o.name(longName)))
                        .type("Normal")
                        .reason("Started")
                        .action("starting")
                        .note("Pod started")),
            (Call) r -> r.normal(namedPod(longName), "Started", "starting", "Pod started")));
  }

  /** A call of a recorder. */
  interface Call {
    void on(EventRecorder recorder);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void call_becomesAnEvent(Event expected, Call call) throws InterruptedException {
    call.on(test.recorder);

    Event event = test.sink.awaitSent(1).get(0).event();
    String name = String.valueOf(event.metadata().name());
    String object = expected.metadata().name();
    assertThat(NameRule.DNS1123_SUBDOMAIN.problems(name)).isEmpty();
    if (object != null) {
      assertThat(name).isEqualTo(object + "." + Long.toHexString(1767225600000000000L));
    }
    assertThat(event.eventTime()).hasToString("2026-01-01T00:00:00.000000Z");
    assertThat(event.reportingInstance()).startsWith("eventTest-");
    assertThat(
            event.with(
                e ->
                    e.editMetadata(m -> m.name(object))
                        .eventTime(null)
                        .reportingController(null)
                        .reportingInstance(null)))
        .isEqualTo(expected);
    assertThat(event.reportingController()).isEqualTo("eventTest");
  }

  /** Go's {@code TestEventSeriesf}. */
  @Test
  void repetition_patchesASeries_andAnotherActionCreates() throws InterruptedException {
    ObjectReference regarding = ObjectReferences.of(namedPod("foo"), ".spec.containers[1]");
    ObjectReference related = ObjectReferences.of(namedPod("foo"), ".spec.containers[0]");

    test.recorder.eventf(regarding, related, "Normal", "test", "started", "message: %d", 1);
    test.sink.awaitSent(1);
    test.clock.advance(Duration.ofSeconds(1));
    test.recorder.eventf(regarding, related, "Normal", "test", "started", "message: %d", 2);
    test.sink.awaitSent(2);
    test.recorder.eventf(regarding, related, "Normal", "test", "stopped", "message: %d", 1);

    List<Sent<Event>> sent = test.sink.awaitSent(3);
    assertThat(sent).extracting(Sent::isCreate).containsExactly(true, false, true);
    assertThat(sent.get(0).event().series()).isNull();
    assertThat(sent.get(1).patchText())
        .isEqualTo(
            "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-01-01T00:00:01.000000Z\"}}");
    assertThat(sent.get(1).event().metadata()).isEqualTo(sent.get(0).event().metadata());
    assertThat(sent.get(2).event().series()).isNull();
    assertThat(sent.get(2).event().note()).isEqualTo("message: 1");
  }

  /** Go's {@code TestEventSeriesWithEventSinkImplRace}. */
  @Test
  void repetitionsAtOnce_areOneObjectWithASeries() throws InterruptedException {
    test.recorder.normal(pod("foo"), "reason", "action", "");
    test.recorder.normal(pod("foo"), "reason", "action", "");
    test.flush();

    assertThat(test.sink.sent()).extracting(Sent::isCreate).containsExactly(true, false);
    assertThat(test.sink.objects()).isEqualTo(1);
  }

  @Test
  void tenThousandRepetitions_areOneObjectAndAtMostThreeRequests() throws InterruptedException {
    for (int i = 0; i < 10_000; i++) {
      test.recorder.warning(pod("foo"), "Failed", "Reconcile", "attempt %d", i);
    }
    test.flush();

    List<Sent<Event>> sent = test.sink.sent();
    assertThat(test.sink.objects()).isEqualTo(1);
    assertThat(sent).hasSizeBetween(2, 3);
    assertThat(sent.get(sent.size() - 1).patchText()).contains("\"count\":10000");
    assertThat(test.broadcaster.stats())
        .isEqualTo(new EventBroadcaster.Stats(10_000, sent.size(), 0, 0, 0));
  }

  @Test
  void identity_isAllButTheNote() throws InterruptedException {
    ObjectReference foo = pod("foo");
    ObjectReference node = foo.with(o -> o.kind("Node"));
    test.recorder.eventf(foo, null, "Normal", "A", "B", "one");
    test.recorder.eventf(foo, null, "Normal", "A", "B", "another note");
    test.recorder.eventf(foo, null, "Warning", "A", "B", "one");
    test.recorder.eventf(foo, null, "Normal", "C", "B", "one");
    test.recorder.eventf(foo, null, "Normal", "A", "C", "one");
    test.recorder.eventf(foo, node, "Normal", "A", "B", "one");
    test.recorder.eventf(foo.with(o -> o.resourceVersion("2")), null, "Normal", "A", "B", "one");
    test.broadcaster.recorder("other").eventf(foo, null, "Normal", "A", "B", "one");
    test.flush();

    assertThat(test.sink.objects()).isEqualTo(7);
    assertThat(test.sink.sent()).filteredOn(sent -> !sent.isCreate()).hasSize(1);
  }

  @Test
  void annotations_areThoseOfTheRecorder() throws InterruptedException {
    test.recorder.annotated(Map.of("trace", "1")).normal(pod("foo"), "A", "B", "note");
    test.recorder.normal(pod("bar"), "A", "B", "note");
    test.flush();

    assertThat(test.sink.sent())
        .extracting(sent -> sent.event().metadata().annotations())
        .containsExactlyInAnyOrder(Map.of("trace", "1"), Map.of());
  }

  @Test
  void note_withoutArguments_isTakenAsItIs() throws InterruptedException {
    test.recorder.normal(pod("foo"), "A", "B", "100% of %s");

    assertThat(test.sink.awaitSent(1).get(0).event().note()).isEqualTo("100% of %s");
  }

  @Test
  void longNote_isCut() throws InterruptedException {
    test.recorder.normal(pod("foo"), "A", "B", "x".repeat(5000));

    assertThat(test.sink.awaitSent(1).get(0).event().note()).isEqualTo("x".repeat(1021) + "...");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        argumentSet(
            "no kind", (Call) r -> r.normal(pod("foo").with(o -> o.kind(null)), "A", "B", "")),
        argumentSet("no name", (Call) r -> r.normal(pod(""), "A", "B", "")),
        argumentSet("another type", (Call) r -> r.eventf(pod("foo"), null, "normal", "A", "B", "")),
        argumentSet("no reason", (Call) r -> r.normal(pod("foo"), "", "B", "")),
        argumentSet("long reason", (Call) r -> r.normal(pod("foo"), "x".repeat(129), "B", "")),
        argumentSet("no action", (Call) r -> r.normal(pod("foo"), "A", "", "")),
        argumentSet("bytes count", (Call) r -> r.normal(pod("foo"), "A", "ü".repeat(65), "")),
        argumentSet(
            "no object at all", (Call) r -> r.normal((KubernetesObject) nothing(), "A", "B", "")),
        argumentSet(
            "a kind that is missing",
            (Call)
                r ->
                    r.normal(Unstructured.parseYaml("{metadata: {name: a}}").get(0), "A", "B", "")),
        argumentSet(
            "a format that fits no argument",
            (Call) r -> r.normal(pod("foo"), "A", "B", "%d", "x")));
  }

  /** Stands for a look-up that found nothing. */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T nothing() {
    return null;
  }

  @Test
  void argument_whoseToStringFails_isCounted() throws InterruptedException {
    Object broken =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException("broken");
          }
        };
    test.recorder.normal(pod("foo"), "A", "B", "%s", broken);
    test.flush();

    assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistake_isCounted_andThrownByTheFakeAlone(Call call) throws InterruptedException {
    call.on(test.recorder);
    test.flush();

    assertThat(test.sink.sent()).isEmpty();
    assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
    assertThatThrownBy(() -> call.on(FakeRecorder.create()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void controller_withoutAQualifiedName_isRefusedEarly() {
    assertThatThrownBy(() -> test.broadcaster.recorder("my controller"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the name of the controller \"my controller\"");
    assertThat(test.broadcaster.recorder("example.com/foo-controller")).isNotNull();
  }

  @Test
  void instance_isTheOneSet() throws InterruptedException {
    RecordingSink<Event> sink = new RecordingSink<>();
    try (EventBroadcaster broadcaster =
        new EventBroadcaster.Builder(sink, new RecordingSink<>()).reportingInstance("me").build()) {
      broadcaster.recorder("foo").normal(pod("foo"), "A", "B", "note");

      assertThat(sink.awaitSent(1).get(0).event().reportingInstance()).isEqualTo("me");
    }
  }
}
