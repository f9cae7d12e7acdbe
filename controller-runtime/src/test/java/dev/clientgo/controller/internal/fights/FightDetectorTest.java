package dev.clientgo.controller.internal.fights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.managedfields.FieldSet;
import dev.clientgo.apimachinery.managedfields.PathElement;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.debug.FieldFight.Writer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fights over fields, played with a fake clock. */
final class FightDetectorTest {

  private static final int MAX_OBJECTS = 4;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeClock clock = FakeClock.create();
  private final List<FieldFight> fights = new ArrayList<>();
  private final FightDetector detector =
      new FightDetector(MAX_OBJECTS, clock, (fight, object) -> fights.add(fight));

  private ConfigMap current = map(0, null);
  private int version;

  private static ManagedFieldsEntry entry(String manager, String operation, String... fields) {
    FieldSet set =
        Arrays.stream(fields)
            .map(field -> FieldSet.of(new PathElement.Field("data"), new PathElement.Field(field)))
            .reduce(FieldSet.EMPTY, FieldSet::union);
    return ManagedFieldsEntry.of(
        e -> e.manager(manager).operation(operation).fieldsV1(set.toFieldsV1()));
  }

  private static ConfigMap map(int version, String value, ManagedFieldsEntry... entries) {
    return ConfigMap.of(
        "default",
        "x",
        c ->
            c.data(value == null ? Map.of() : Map.of("a", value))
                .editMetadata(
                    m ->
                        m.uid("1")
                            .resourceVersion(String.valueOf(version))
                            .managedFields(List.of(entries))));
  }

  /** A write of a manager, which owns the field then. */
  private void write(String manager, String value) {
    update(map(++version, value, entry(manager, "Update", "a")), true);
  }

  private void update(ConfigMap next, boolean startsReconcile) {
    clock.advance(SECOND);
    detector.updated(ConfigMap.TYPE, current, next, startsReconcile);
    current = next;
  }

  private void ownWrite(String value, boolean startsReconcile) {
    ConfigMap next = map(++version, value, entry("me", "Update", "a"));
    detector.wrote(next);
    update(next, startsReconcile);
  }

  @Test
  void twoManagers_areToldOnce_withTheirValues() {
    for (int i = 0; i < 20; i++) {
      write("helm", "1");
      write("operator", "2");
    }

    assertThat(fights).hasSize(1);
    FieldFight fight = fights.get(0);
    assertThat(fight.resource()).isEqualTo("configmaps");
    assertThat(fight.object()).isEqualTo(new ObjectName("default", "x"));
    assertThat(fight.field()).isEqualTo("data.a");
    assertThat(List.of(fight.last(), fight.other()))
        .containsExactlyInAnyOrder(
            new Writer("helm (Update)", false, "\"1\""),
            new Writer("operator (Update)", false, "\"2\""));
    assertThat(fight.isWithItself()).isFalse();
    assertThat(fight)
        .asString()
        .contains("two writers fight over data.a of configmaps default/x")
        .contains("helm (Update) sets \"1\"")
        .contains("operator (Update) sets \"2\"")
        .contains("7 changes in PT6S");
  }

  @Test
  void twoManagers_thatAreSlow_areNoFight() {
    for (int i = 0; i < 20; i++) {
      write("helm", "1");
      clock.advance(Duration.ofMinutes(3));
      write("operator", "2");
      clock.advance(Duration.ofMinutes(3));
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void fight_thatBeginsAgainAfterAQuietTime_isToldAgain() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 6; i++) {
        write("helm", "1");
        write("operator", "2");
      }
      clock.advance(Duration.ofMinutes(11));
    }

    assertThat(fights).hasSize(2);
  }

  @Test
  void managers_ofDifferentFields_doNotFight() {
    for (int i = 0; i < 30; i++) {
      ManagedFieldsEntry a = entry("helm", "Update", "a");
      ManagedFieldsEntry b = entry("operator", "Update", "b");
      Map<String, String> data = Map.of("a", "a" + (i / 2), "b", "b" + ((i + 1) / 2));
      update(
          map(++version, "", a, i % 5 == 0 ? entry("operator", "Update", "b", "c") : b)
              .with(c -> c.data(data)),
          true);
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void oneManager_thatChangesAFieldOften_isNoFight() {
    for (int i = 0; i < 100; i++) {
      write("kubelet", "heartbeat " + i);
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void managerThatRemovesAField_isNamedByItsEntry() {
    for (int i = 0; i < 6; i++) {
      write("helm", "1");
      update(map(++version, null, entry("operator", "Apply", "b" + i)), true);
    }

    assertThat(fights).hasSize(1);
    assertThat(List.of(fights.get(0).last(), fights.get(0).other()))
        .contains(new Writer("operator (Apply)", false, null));
    assertThat(fights.get(0)).asString().contains("operator (Apply) removes it");
  }

  /**
   * Operators often have the same name of a manager, such as that of their programming language.
   */
  @Test
  void anotherProcess_underTheNameOfThisOne_isFound() {
    for (int i = 0; i < 6; i++) {
      ownWrite("mine", true);
      write("me", "theirs");
    }

    assertThat(fights).hasSize(1);
    assertThat(List.of(fights.get(0).last(), fights.get(0).other()))
        .containsExactlyInAnyOrder(
            new Writer("me (Update)", true, "\"mine\""),
            new Writer("me (Update)", false, "\"theirs\""));
  }

  /** The watch may be faster than the response of the write, on a busy machine each time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ownWrites_whoseEventsComeBeforeTheirResponses_areNamedAsOwn(boolean afterTheNextChange) {
    for (int i = 0; i < 6; i++) {
      write("stranger", "theirs");
      ConfigMap next = map(++version, "mine", entry("me", "Apply", "a"));
      update(next, true);
      if (afterTheNextChange) {
        write("stranger", "theirs");
      }
      detector.wrote(next);
    }

    assertThat(fights).hasSize(1);
    assertThat(List.of(fights.get(0).last(), fights.get(0).other()))
        .containsExactlyInAnyOrder(
            new Writer("me (Apply)", true, "\"mine\""),
            new Writer("stranger (Update)", false, "\"theirs\""));
  }

  /** A controller of thousands of objects does not hide that one of them is in a circle. */
  @Test
  void controllerThatWakesItself_isFoundAmongThousandsOfRequests() {
    for (int i = 0; i < 30; i++) {
      ConfigMap next = map(++version, "at " + i, entry("me", "Update", "a"));
      detector.wrote(next);
      detector.started(List.of("self default/x"), next);
      List<String> others = new ArrayList<>();
      for (int other = 0; other < 500; other++) {
        others.add("other " + i + "/" + other);
      }
      ConfigMap watched = map(1_000 + i, "").with(c -> c.editMetadata(m -> m.uid("watched")));
      detector.wrote(watched);
      detector.started(others, watched);
      update(next, true);
    }

    assertThat(fights).hasSize(1);
  }

  @Test
  void withoutManagedFields_valuesThatComeBackTell() {
    for (int i = 0; i < 20; i++) {
      ConfigMap next = map(++version, i % 2 == 0 ? "1" : "2");
      if (i % 2 == 0) {
        detector.wrote(next);
      }
      update(next, true);
    }

    assertThat(fights).hasSize(1);
    assertThat(List.of(fights.get(0).last().manager(), fights.get(0).other().manager()))
        .containsOnly("unknown");
  }

  @Test
  void controllerThatWakesItself_isToldOnce_withTheField() {
    for (int i = 0; i < 30; i++) {
      ownWrite("at " + i, true);
    }

    assertThat(fights).hasSize(1);
    assertThat(fights.get(0).isWithItself()).isTrue();
    assertThat(fights.get(0).field()).isEqualTo("data.a");
    assertThat(fights.get(0))
        .asString()
        .contains("this controller changes data.a of configmaps default/x at each reconcile")
        .contains("10 changes in PT9S")
        .contains("generationChanged()");
  }

  /** Twelve pods become ready, one by one, and a controller counts them into a status. */
  @Test
  void countOfOtherObjects_thatRises_isNoFight() {
    List<String> request = List.of("counter default/x");
    for (int i = 1; i <= 12; i++) {
      detector.started(request, null); // The event of a pod.
      ConfigMap next = map(++version, String.valueOf(i), entry("me", "Update", "a"));
      detector.wrote(next);
      detector.started(request, next);
      update(next, true);
    }

    assertThat(fights).isEmpty();
  }

  /** The same controller fights with itself as soon as nothing else starts it. */
  @Test
  void countByATimer_isNoFight_asLongAsTheTimerIsTheCause() {
    List<String> request = List.of("poller default/x");
    for (int i = 1; i <= 25; i++) {
      boolean byTimer = i <= 12;
      if (byTimer) {
        detector.started(request, null);
      }
      ConfigMap next = map(++version, "at " + i, entry("me", "Update", "a"));
      detector.started(request, next); // The event may come before the response of the write.
      detector.wrote(next);
      update(next, true);
      assertThat(fights).as("change %s", i).hasSizeLessThanOrEqualTo(byTimer ? 0 : 1);
    }

    assertThat(fights).hasSize(1);
    assertThat(fights.get(0).isWithItself()).isTrue();
  }

  /** A status of a Deployment that this process has created, and others change. */
  @Test
  void countOfOwnObjectsThatOthersChange_isNoFight() {
    List<String> request = List.of("counter default/x");
    ConfigMap pod = map(1000, "1").with(c -> c.editMetadata(m -> m.uid("pod")));
    detector.wrote(pod);
    for (int i = 1; i <= 12; i++) {
      String podVersion = String.valueOf(1000 + i);
      detector.started(request, pod.with(c -> c.editMetadata(m -> m.resourceVersion(podVersion))));
      ConfigMap next = map(++version, String.valueOf(i), entry("me", "Update", "a"));
      detector.wrote(next);
      detector.started(request, next);
      update(next, true);
    }

    assertThat(fights).isEmpty();
  }

  /** As two replicas of a controller that both count, or one after the other. */
  @Test
  void valuesOfTwoManagers_thatNeverComeBack_areNoFight() {
    for (int i = 0; i < 30; i++) {
      write(i % 2 == 0 ? "one" : "two", String.valueOf(i));
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void managerThatAlwaysRestoresItsValue_fightsWithOneOfChangingValues() {
    for (int i = 0; i < 6; i++) {
      write("helm", "1");
      write("autoscaler", String.valueOf(2 + i));
    }

    assertThat(fights).hasSize(1);
  }

  @Test
  void valueThatAnotherProcessFlips_besideOwnWrites_isNoFight() {
    for (int i = 0; i < 20; i++) {
      detector.wrote(map(++version, "own"));
      update(map(++version, i % 2 == 0 ? "True" : "False"), true);
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void controllerThatWritesOften_butDoesNotWakeItself_isNoFight() {
    for (int i = 0; i < 100; i++) {
      ownWrite("progress " + i, false);
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void controllerThatWritesEveryTenSeconds_isNoFight() {
    for (int i = 0; i < 100; i++) {
      ownWrite("progress " + i, true);
      clock.advance(Duration.ofSeconds(9));
    }

    assertThat(fights).isEmpty();
  }

  /** As if each object of a controller had the same bug: more than the detector has room for. */
  @Test
  void manyObjectsAtOnce_areFoundNevertheless() {
    List<ConfigMap> states = new ArrayList<>();
    for (int i = 0; i < 2 * MAX_OBJECTS; i++) {
      String uid = "uid-" + i;
      states.add(map(0, "").with(c -> c.editMetadata(m -> m.uid(uid))));
    }
    for (int round = 1; round <= 12; round++) {
      String next = String.valueOf(round);
      for (int i = 0; i < states.size(); i++) {
        ConfigMap after =
            states
                .get(i)
                .with(c -> c.data(Map.of("a", next)).editMetadata(m -> m.resourceVersion(next)));
        detector.wrote(after);
        detector.updated(ConfigMap.TYPE, states.get(i), after, true);
        states.set(i, after);
      }
      clock.advance(SECOND);
    }

    assertThat(fights).hasSize(MAX_OBJECTS);
  }

  @Test
  void updateThatSeveralControllersRecord_countsOnce() {
    for (int i = 0; i < 5; i++) {
      ConfigMap before = current;
      write(i % 2 == 0 ? "helm" : "operator", String.valueOf(i % 2));
      detector.updated(ConfigMap.TYPE, before, current, true);
      detector.updated(ConfigMap.TYPE, before, current, true);
    }

    assertThat(fights).isEmpty();
  }

  private void fightOverSecret(IntFunction<String> values) {
    Secret before = Secret.of("default", "s", s -> s.editMetadata(m -> m.uid("2")));
    for (int i = 0; i < 20; i++) {
      ManagedFieldsEntry owner = entry(i % 2 == 0 ? "helm" : "vault", "Update", "a");
      String version = String.valueOf(i + 1);
      String value = values.apply(i);
      Secret after =
          before.with(
              s ->
                  s.data(Map.of("a", Bytes.of(value.getBytes(UTF_8))))
                      .editMetadata(m -> m.resourceVersion(version).managedFields(List.of(owner))));
      clock.advance(SECOND);
      detector.updated(Secret.TYPE, before, after, true);
      before = after;
    }
  }

  @Test
  void fightOverASecret_isFound_andItsValuesAreHidden() {
    fightOverSecret(i -> i % 2 == 0 ? "hunter2" : "secret");

    assertThat(fights).hasSize(1);
    assertThat(List.of(fights.get(0).last(), fights.get(0).other()))
        .containsExactlyInAnyOrder(
            new Writer("helm (Update)", false, "(hidden)"),
            new Writer("vault (Update)", false, "(hidden)"));
  }

  @Test
  void valuesOfASecret_thatNeverComeBack_areNoFight() {
    fightOverSecret(i -> "rotated " + i);

    assertThat(fights).isEmpty();
  }

  @Test
  void longValues_thatDifferOnlyAtTheirEnd_areNoFight() {
    for (int i = 0; i < 30; i++) {
      write(i % 2 == 0 ? "one" : "two", "x".repeat(1000) + (100 + i));
    }

    assertThat(fights).isEmpty();
  }
}
