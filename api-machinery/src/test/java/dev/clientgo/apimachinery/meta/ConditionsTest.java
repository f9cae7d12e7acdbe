package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConditionsTest {

  private static final Time BEFORE = Time.of(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Time NOW = Time.of(Instant.parse("2026-01-01T01:00:00Z"));

  private final FakeClock clock = FakeClock.at(NOW.instant());
  private final Condition first = condition("first", "Unknown", "r", BEFORE);
  private final Condition second = condition("second", "True", "r", BEFORE);
  private final List<Condition> both = List.of(first, second);

  /** Upstream: TestSetStatusCondition of api/meta, "should-add". */
  @Test
  void set_ofANewType_appendsItWithItsTime() {
    Condition third = condition("third", "False", "x", BEFORE);

    assertThat(Conditions.set(both, third, clock)).containsExactly(first, second, third);
    assertThat(Conditions.set(null, third, clock)).containsExactly(third);
  }

  @Test
  void set_ofANewTypeWithoutTime_takesNow() {
    assertThat(Conditions.set(both, condition("third", "False", "x", null), clock))
        .endsWith(condition("third", "False", "x", NOW));
  }

  /** Upstream: TestSetStatusCondition of api/meta, "use-supplied-transition-time". */
  @Test
  void set_ofAnotherStatusWithTime_takesIt() {
    assertThat(Conditions.set(both, condition("first", "True", "n", BEFORE), clock))
        .containsExactly(condition("first", "True", "n", BEFORE), second);
  }

  /** Upstream: TestSetStatusCondition of api/meta, "update-fields". */
  @Test
  void set_ofAnotherStatus_takesNow() {
    assertThat(Conditions.set(both, condition("second", "False", "n", null), clock))
        .containsExactly(first, condition("second", "False", "n", NOW));
  }

  @Test
  void set_ofTheSameStatus_keepsTheTime() {
    assertThat(Conditions.set(both, condition("second", "True", "n", NOW), clock))
        .containsExactly(first, condition("second", "True", "n", BEFORE));
    Condition observed = second.with(c -> c.observedGeneration(7L).message("m"));
    assertThat(Conditions.set(both, observed, clock)).containsExactly(first, observed);
  }

  @Test
  void set_ofWhatIsThere_returnsTheListItself() {
    assertThat(Conditions.set(both, second.with(c -> c.lastTransitionTime(null)), clock))
        .isSameAs(both);
  }

  @Test
  void set_withoutType_fails() {
    assertThatNullPointerException()
        .isThrownBy(() -> Conditions.set(both, Condition.of(c -> c.status("True")), clock))
        .withMessageContaining("no type");
  }

  /** Upstream: TestRemoveStatusCondition of api/meta. */
  @Test
  void remove_dropsTheTypeAlone() {
    assertThat(Conditions.remove(both, "first")).containsExactly(second);
    assertThat(Conditions.remove(both, "third")).isSameAs(both);
    assertThat(Conditions.remove(null, "third")).isEmpty();
  }

  /** Upstream: TestFindStatusCondition of api/meta. */
  @Test
  void find_returnsTheOneOfTheType() {
    assertThat(Conditions.find(both, "second")).contains(second);
    assertThat(Conditions.find(both, "third")).isEmpty();
    assertThat(Conditions.find(null, "first")).isEmpty();
  }

  /** Upstream: TestIsStatusConditionPresentAndEqual of api/meta. */
  @Test
  void status_isThatOfTheType() {
    assertThat(Conditions.isTrue(both, "second")).isTrue();
    assertThat(Conditions.isFalse(both, "second")).isFalse();
    assertThat(Conditions.isTrue(both, "third")).isFalse();
    assertThat(Conditions.isFalse(both, "third")).isFalse();
    assertThat(Conditions.isPresentAndEqual(both, "first", Conditions.UNKNOWN)).isTrue();
    assertThat(Conditions.isPresentAndEqual(both, "third", Conditions.UNKNOWN)).isFalse();
  }

  @Test
  void codec_readsAndWritesThoseOfAnUntypedObject() {
    Unstructured widget =
        Unstructured.parse("{\"kind\":\"Widget\"}")
            .withNested(Conditions.CODEC, both, "status", "conditions");

    assertThat(widget.nestedList("status", "conditions").orElseThrow()).hasSize(2);
    assertThat(widget.nested(Conditions.CODEC, "status", "conditions")).contains(both);
    assertThat(widget.nested(Conditions.CODEC, "status", "other")).isEmpty();
  }

  private static Condition condition(String type, String status, String reason, Time transition) {
    return Condition.of(
        c -> c.type(type).status(status).reason(reason).lastTransitionTime(transition));
  }
}
