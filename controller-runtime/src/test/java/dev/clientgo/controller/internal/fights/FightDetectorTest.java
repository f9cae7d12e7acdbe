package dev.clientgo.controller.internal.fights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.managedfields.FieldSet;
import dev.clientgo.apimachinery.managedfields.PathElement;
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
import org.junit.jupiter.api.Test;

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

  @Test
  void valuesOfSecrets_areHidden() {
    Secret before = Secret.of("default", "s", s -> {});
    for (int i = 0; i < 9; i++) {
      String next = String.valueOf(i + 1);
      ManagedFieldsEntry owner =
          ManagedFieldsEntry.of(
              e ->
                  e.manager("m" + next.hashCode() % 2)
                      .operation("Update")
                      .fieldsV1(
                          FieldSet.of(
                                  new PathElement.Field("stringData"), new PathElement.Field(next))
                              .toFieldsV1()));
      String value = i % 2 == 0 ? "hunter2" : "secret";
      Secret after =
          Secret.of(
              "default",
              "s",
              s ->
                  s.stringData(Map.of("password", value))
                      .editMetadata(
                          m -> m.uid("2").resourceVersion(next).managedFields(List.of(owner))));
      clock.advance(SECOND);
      detector.updated(Secret.TYPE, before, after, true);
      before = after;
    }

    assertThat(fights)
        .allSatisfy(
            fight -> assertThat(fight.toString()).doesNotContain("hunter2").contains("(hidden)"));
  }
}
