package dev.clientgo.apimachinery.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelsTest {

  /** Upstream: TestLabelSelectorParse. */
  @Test
  void parse_pairs_givesTheLabels() {
    assertThat(Labels.parse("")).isEmpty();
    assertThat(Labels.parse("x=a")).containsExactlyInAnyOrderEntriesOf(Map.of("x", "a"));
    assertThat(Labels.parse(" x = a , y = b , z = c "))
        .containsExactlyInAnyOrderEntriesOf(Map.of("x", "a", "y", "b", "z", "c"));
    assertThat(Labels.parse("color=green, env=test, service="))
        .containsExactlyInAnyOrderEntriesOf(Map.of("color", "green", "env", "test", "service", ""));
  }

  /** Upstream: TestLabelSelectorParse. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ",",
        "x",
        "x,y",
        "x=$y",
        "x!=y",
        "x==y",
        "x=a||y=b",
        "x in (y)",
        "x notin (y)",
        "x y",
        "!x"
      })
  void parse_anythingElse_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Labels.parse(text))
        .withMessageContaining("\"" + text + "\"");
  }

  /** Upstream: TestSetString. */
  @Test
  void format_labels_isSortedByKey() {
    assertThat(Labels.format(Map.of("x", "y"))).isEqualTo("x=y");
    assertThat(Labels.format(Map.of("foo", "bar", "baz", "qup"))).isEqualTo("baz=qup,foo=bar");
    assertThat(Labels.format(Map.of())).isEqualTo("<none>");
    assertThat(Labels.format((Map<String, String>) null)).isEqualTo("<none>");
  }

  /** Upstream: TestLabelConflict. */
  @Test
  void conflict_sameKeyWithAnotherValue_isTrue() {
    Map<String, String> test = Map.of("env", "test");

    assertThat(Labels.conflict(Map.of(), Map.of())).isFalse();
    assertThat(Labels.conflict(test, Map.of("infra", "true"))).isFalse();
    assertThat(Labels.conflict(test, Map.of("infra", "true", "env", "test"))).isFalse();
    assertThat(Labels.conflict(test, Map.of("env", "dev"))).isTrue();
    assertThat(
            Labels.conflict(
                Map.of("env", "test", "infra", "false"), Map.of("infra", "true", "color", "blue")))
        .isTrue();
  }

  /** Upstream: TestLabelMerge. */
  @Test
  void merge_twoSets_secondWins() {
    assertThat(Labels.merge(Map.of("infra", "true"), Map.of()))
        .containsExactlyInAnyOrderEntriesOf(Map.of("infra", "true"));
    assertThat(Labels.merge(Map.of("infra", "true"), Map.of("infra", "false", "color", "blue")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("infra", "false", "color", "blue"));
  }
}
