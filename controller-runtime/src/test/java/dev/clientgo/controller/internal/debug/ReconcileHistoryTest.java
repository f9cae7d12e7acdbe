package dev.clientgo.controller.internal.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.debug.Cause;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.debug.Cause.ObjectEvent;
import dev.clientgo.controller.debug.KeyHistory;
import dev.clientgo.controller.debug.ReconcileRecord;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bounds of the store, and what it merges. */
final class ReconcileHistoryTest {

  private final FakeClock clock = FakeClock.create();
  private final ReconcileHistory history =
      new ReconcileHistory(new RecorderLimits(3, 2, 4, 5), clock);
  private final ControllerRecording<ObjectName> recording =
      new ControllerRecording<>(history, "test", Function.identity());
  private long reconciles;

  private static ObjectName name(int number) {
    return new ObjectName("default", "x" + number);
  }

  private static ConfigMap state(ObjectName name, int version) {
    return ConfigMap.of(
        name.namespace(),
        name.name(),
        c ->
            c.data(Map.of("version", Integer.toString(version)))
                .editMetadata(m -> m.resourceVersion(Integer.toString(version)).uid("u" + name)));
  }

  private void update(ObjectName name, int version) {
    recording.event(
        List.of(name),
        EventType.UPDATED,
        ConfigMap.TYPE,
        name,
        state(name, version - 1),
        state(name, version));
  }

  private void reconcile(ObjectName name, Outcome outcome, @Nullable Throwable error) {
    RecordedReconcile reconcile = recording.begin(name, ++reconciles, 0);
    recording.end(reconcile, Duration.ofMillis(2), outcome, null, error);
  }

  private void reconcile(ObjectName name) {
    reconcile(name, Outcome.DONE, null);
  }

  private KeyHistory read(ObjectName name) {
    return history.history(new RequestKey("test", name)).orElseThrow();
  }

  private List<Cause> causes(ObjectName name) {
    List<ReconcileRecord> records = read(name).records();
    return records.get(records.size() - 1).causes();
  }

  @Test
  void causes_gatherUntilTheReconcileBegins() {
    ObjectName x = name(1);
    recording.event(List.of(x), EventType.INITIAL_LIST, ConfigMap.TYPE, x, null, state(x, 1));
    update(x, 2);
    recording.enqueued(x);
    assertThat(read(x).pending()).hasSize(3);
    assertThat(read(x).records()).isEmpty();

    RecordedReconcile first = recording.begin(x, ++reconciles, -100);
    update(x, 3);
    clock.advance(Duration.ofMillis(7));
    assertThat(read(x).records().get(0).outcome()).isEqualTo(Outcome.RUNNING);
    assertThat(read(x).records().get(0).duration()).isEqualTo(Duration.ofMillis(7));
    recording.retried(x, 1);
    recording.end(
        first, Duration.ofMillis(7), Outcome.FAILED, null, new IllegalStateException("a"));
    reconcile(x);

    assertThat(read(x).toString().replaceAll(" at \\S+", ""))
        .isEqualTo(
            """
            test default/x1: 2 reconciles
              #1 for 7.0 ms: failed: java.lang.IllegalStateException: a
                initial list of configmaps default/x1, version 1
                update of configmaps default/x1, version 1 -> 2
                  data.version: "1" -> "2"
                enqueue
              #2 for 2.0 ms: done
                update of configmaps default/x1, version 2 -> 3
                  data.version: "2" -> "3"
                retry after failure 1""");
  }

  @Test
  void keysReconcilesAndCauses_areBounded() {
    for (int i = 1; i <= 5; i++) {
      for (int version = 2; version <= 8; version++) {
        update(name(i), version);
      }
      reconcile(name(i));
      reconcile(name(i));
      reconcile(name(i));
    }

    List<KeyHistory> all = history.histories(key -> true, true);
    assertThat(all).extracting(KeyHistory::request).containsExactly(name(3), name(4), name(5));
    assertThat(all).allSatisfy(key -> assertThat(key.reconciles()).isEqualTo(3));
    assertThat(all).allSatisfy(key -> assertThat(key.records()).hasSize(2));

    update(name(5), 9);
    for (int version = 10; version <= 15; version++) {
      update(name(5), version);
    }
    assertThat(read(name(5)).pending()).hasSize(4);
    assertThat(read(name(5)).droppedPending()).isEqualTo(3);
    reconcile(name(5));
    assertThat(causes(name(5))).hasSize(4);
    assertThat(read(name(5)).toString()).contains("and 3 more causes");
  }

  @Test
  void states_areKeptOfTheLastUpdatesAlone() {
    for (int i = 1; i <= 7; i++) {
      update(name(i), 2);
    }

    List<Boolean> kept =
        history.histories(key -> true, true).stream()
            .sorted(Comparator.comparing(key -> key.request().name()))
            .map(key -> ((ObjectEvent) key.pending().get(0)).changesKept())
            .toList();
    assertThat(kept).containsExactly(false, false, true, true, true, true, true);
    assertThat(read(name(1)).toString()).contains("(its fields are no longer kept)");
  }

  @Test
  void eventOfAnOwnWrite_isMarked_howeverLateTheResponseIs() {
    ObjectName x = name(1);
    recording.written(ConfigMap.TYPE, state(x, 2));
    update(x, 2);
    update(x, 3);
    RecordedReconcile reconcile = recording.begin(x, 1, 0);
    recording.written(ConfigMap.TYPE, state(x, 3));
    recording.deleted(ConfigMap.TYPE, state(x, 3));
    recording.end(reconcile, Duration.ZERO, Outcome.DONE, null, null);
    recording.event(List.of(x), EventType.DELETED, ConfigMap.TYPE, x, state(x, 4), null);
    update(x, 5);

    assertThat(causes(x)).allSatisfy(cause -> assertThat(writer(cause)).isEqualTo("test"));
    assertThat(read(x).pending())
        .extracting(ReconcileHistoryTest::writer)
        .containsExactly("test", null);
  }

  private static @Nullable String writer(Cause cause) {
    return ((ObjectEvent) cause).writtenBy();
  }

  @Test
  void controllerThatEnds_leavesNoPendingCauses() {
    recording.enqueued(name(1));
    reconcile(name(2));
    recording.enqueued(name(2));

    recording.close();

    assertThat(history.histories(key -> true, true))
        .singleElement()
        .satisfies(key -> assertThat(key.pending()).isEmpty());
  }

  /**
   * Requests that wait have causes, however many there are; only those that were done are
   * forgotten.
   */
  @Test
  void causesOfAFirstList_areKeptUntilTheReconcile() {
    for (int i = 0; i < 1000; i++) {
      recording.event(
          List.of(name(i)),
          EventType.INITIAL_LIST,
          ConfigMap.TYPE,
          name(i),
          null,
          state(name(i), 1));
    }
    for (int i = 0; i < 1000; i++) {
      reconcile(name(i));
      assertThat(causes(name(i))).hasSize(1);
    }
  }

  @Test
  void longErrors_areCutOff() {
    reconcile(name(1), Outcome.FAILED, new IllegalStateException("e".repeat(10_000)));

    assertThat(read(name(1)).records().get(0).error()).hasSizeLessThan(600);
  }
}
