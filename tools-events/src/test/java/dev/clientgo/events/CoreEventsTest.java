package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.events.RecordingSink.Sent;
import dev.clientgo.kubernetes.core.v1.Event;
import dev.clientgo.kubernetes.core.v1.EventSource;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of {@code core/v1}: what is sent for a call. */
@Timeout(300)
final class CoreEventsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @AutoClose private final Broadcasters test = Broadcasters.core();

  private Sent<Event> record(ObjectReference object, String reason, String note, Object... args)
      throws InterruptedException {
    test.clock.advance(SECOND);
    int before = test.coreSink.sent().size();
    test.recorder.eventf(object, null, "Normal", reason, "Act", note, args);
    Sent<Event> sent = test.coreSink.awaitSent(before + 1).get(before);
    test.flush();
    return sent;
  }

  /** Go's {@code TestEventf} and {@code TestMultiSinkCache} of tools/record. */
  @Test
  void calls_becomeCreatesAndPatches() throws InterruptedException {
    ObjectReference one = pod("foo").with(o -> o.fieldPath("spec.containers[2]"));
    ObjectReference two =
        pod("foo").with(o -> o.uid("differentUid").fieldPath("spec.containers[3]"));
    String note = "some verbose message: %d";

    Sent<Event> first = record(one, "Started", note, 1);
    assertThat(first.isCreate()).isTrue();
    assertThat(first.event().metadata().name()).startsWith("foo.");
    assertThat(first.event().with(event -> event.editMetadata(meta -> meta.name(null))))
        .isEqualTo(
            Event.of(
                event ->
                    event
                        .metadata(ObjectMeta.builder().namespace("baz").build())
                        .involvedObject(one)
                        .reason("Started")
                        .message("some verbose message: 1")
                        .source(EventSource.of(source -> source.component("eventTest")))
                        .firstTimestamp(first.event().firstTimestamp())
                        .lastTimestamp(first.event().firstTimestamp())
                        .count(1)
                        .type("Normal")
                        .reportingComponent("eventTest")));

    assertThat(record(pod("foo"), "Killed", "some other verbose message: 1").isCreate()).isTrue();
    Sent<Event> second = record(one, "Started", note, 1);
    assertThat(second.patchText())
        .isEqualTo(
            "{\"count\":2,\"lastTimestamp\":\"2026-01-01T00:00:03Z\","
                + "\"message\":\"some verbose message: 1\"}");
    assertThat(second.event().metadata()).isEqualTo(first.event().metadata());
    assertThat(second.event().firstTimestamp()).isEqualTo(first.event().firstTimestamp());
    assertThat(second.event().lastTimestamp()).hasToString("2026-01-01T00:00:03Z");
    assertThat(record(two, "Started", note, 1).isCreate()).isTrue();
    assertThat(record(one, "Started", note, 1).patchText()).contains("\"count\":3");
    assertThat(record(two, "Stopped", note, 1).isCreate()).isTrue();
    assertThat(record(two, "Stopped", note, 1).patchText()).contains("\"count\":2");
  }

  /** Go's {@code TestEventfNoNamespace}. */
  @Test
  void objectWithoutNamespace_hasItsEventsInDefault() throws InterruptedException {
    Event event = record(pod("foo").with(o -> o.namespace(null)), "Started", "note").event();

    assertThat(event.metadata().namespace()).isEqualTo("default");
  }

  /** Go's {@code TestUpdateExpiredEvent}. */
  @Test
  void expiredEvent_isCreatedAgainWithItsCount() throws InterruptedException {
    record(pod("foo"), "Started", "note");
    test.coreSink.expireAll();
    record(pod("foo"), "Started", "note");

    List<Sent<Event>> sent = test.coreSink.sent();
    assertThat(sent).extracting(Sent::isCreate).containsExactly(true, false, true);
    assertThat(sent.get(2).event().count()).isEqualTo(2);
    assertThat(sent.get(2).event().metadata().resourceVersion()).isNull();
  }

  @Test
  void annotations_areThoseOfTheRecorder() throws InterruptedException {
    test.recorder.annotated(Map.of("trace", "1")).normal(pod("foo"), "A", "B", "note");

    assertThat(test.coreSink.awaitSent(1).get(0).event().metadata().annotations())
        .isEqualTo(Map.of("trace", "1"));
  }

  /** The burst of 25 is one create and 24 patches; after that, one patch every five minutes. */
  @Test
  void tenThousandRepetitions_areOneObjectAnd25Requests() throws InterruptedException {
    for (int i = 0; i < 10_000; i++) {
      test.recorder.warning(pod("foo"), "Failed", "Reconcile", "no luck");
    }
    test.flush();

    assertThat(test.coreSink.objects()).isEqualTo(1);
    assertThat(test.coreSink.sent()).hasSize(25);
    assertThat(test.broadcaster.stats())
        .isEqualTo(new EventBroadcaster.Stats(10_000, 25, 0, 9_975, 0));
    test.clock.advance(Duration.ofMinutes(5));
    test.recorder.warning(pod("foo"), "Failed", "Reconcile", "no luck");
    assertThat(test.coreSink.awaitSent(26).get(25).patchText()).contains("\"count\":10001");
  }

  @Test
  void manyMessages_becomeOneEvent() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      test.recorder.warning(pod("foo"), "Failed", "Reconcile", "message %d", i);
    }
    test.flush();

    assertThat(test.coreSink.objects()).isEqualTo(10);
    Sent<Event> last = test.coreSink.sent().get(19);
    assertThat(last.patchText())
        .contains("\"count\":11", "(combined from similar events): message 19");
  }
}
