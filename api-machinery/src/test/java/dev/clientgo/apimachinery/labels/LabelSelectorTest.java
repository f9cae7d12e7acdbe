package dev.clientgo.apimachinery.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelSelectorTest {

  private static LabelSelector selector(
      Map<String, String> labels, LabelSelectorRequirement... expressions) {
    return LabelSelector.builder()
        .matchLabels(labels)
        .matchExpressions(expressions.length == 0 ? null : List.of(expressions))
        .build();
  }

  private static LabelSelectorRequirement expression(
      String key, String operator, String... values) {
    return new LabelSelectorRequirement(key, operator, values.length == 0 ? null : List.of(values));
  }

  /** Upstream: TestLabelSelectorAsSelector. */
  @Test
  void of_aLabelSelector_meansTheSame() {
    Map<String, String> labels = Map.of("foo", "bar");
    LabelSelectorRequirement in = expression("baz", "In", "qux", "norf");

    assertThat(Selector.of((LabelSelector) null)).isEqualTo(Selector.nothing());
    assertThat(Selector.of(selector(null))).isEqualTo(Selector.everything());
    assertThat(Selector.of(selector(Map.of()))).isEqualTo(Selector.everything());
    assertThat(Selector.of(selector(labels))).isEqualTo(Selector.parse("foo=bar"));
    assertThat(Selector.of(selector(null, in))).isEqualTo(Selector.parse("baz in (norf,qux)"));
    assertThat(Selector.of(selector(labels, in)))
        .isEqualTo(Selector.parse("baz in (norf,qux),foo=bar"));
    assertThat(
            Selector.of(
                selector(
                    null,
                    expression("a", "NotIn", "x"),
                    expression("b", "Exists"),
                    expression("c", "DoesNotExist"))))
        .isEqualTo(Selector.parse("a notin (x),b,!c"));
  }

  /** Upstream: TestLabelSelectorAsSelector. */
  @Test
  void of_aLabelSelectorThatIsNotValid_saysWhy() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.of(selector(null, expression("baz", "Exists", "qux", "norf"))))
        .withMessageContaining("takes no value, not 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.of(selector(null, expression("baz", "in", "qux"))))
        .withMessage(
            "operator \"in\" of the label selector on key \"baz\" must be In, NotIn, Exists or"
                + " DoesNotExist");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.of(selector(null, expression("baz", null))))
        .withMessageContaining("must be In, NotIn, Exists or DoesNotExist");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.of(selector(null, expression(null, "Exists"))))
        .withMessageContaining("name part must not be empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a=b", "a in (b,c),d=e,f,!g,h notin (i)", "a=,b in ()"})
  void toLabelSelector_andBack_isTheSame(String text) {
    Selector selector = Selector.parse(text);

    assertThat(Selector.of(selector.toLabelSelector())).isEqualTo(selector);
  }

  @Test
  void toLabelSelector_emptyParts_areAbsent() {
    assertThat(Selector.everything().toLabelSelector()).isEqualTo(selector(null));
    assertThat(Selector.parse("a==b").toLabelSelector()).isEqualTo(selector(Map.of("a", "b")));
    assertThat(Selector.parse("a!=b,c").toLabelSelector())
        .isEqualTo(selector(null, expression("a", "NotIn", "b"), expression("c", "Exists")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a>1      | a label selector of an object cannot compare numbers: a>1",
        "a<1      | a label selector of an object cannot compare numbers: a<1",
        "a=1,a=2  | a label cannot have two values: a=1 and a=2"
      })
  void toLabelSelector_whatItCannotSay_isRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.parse(text).toLabelSelector())
        .withMessage(message);
  }

  @Test
  void toLabelSelector_ofNothing_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Selector.nothing().toLabelSelector());
  }

  /** Upstream: TestLabelSelectorAsMap. */
  @Test
  void toLabels_singleValues_areTheLabels() {
    Map<String, String> labels = Map.of("foo", "bar");

    assertThat(Selector.of(selector(null)).toLabels()).isEmpty();
    assertThat(Selector.of(selector(labels)).toLabels()).containsExactlyInAnyOrderEntriesOf(labels);
    assertThat(Selector.of(selector(labels, expression("baz", "In", "norf"))).toLabels())
        .containsExactlyInAnyOrderEntriesOf(Map.of("foo", "bar", "baz", "norf"));
    assertThat(Selector.parse("a==b,c in (d)").toLabels())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "b", "c", "d"));
  }

  /** Upstream: TestLabelSelectorAsMap. */
  @ParameterizedTest
  @ValueSource(
      strings = {"baz in (norf,qux)", "baz notin (norf)", "baz", "!baz", "b!=c", "b>1", "a=1,a=2"})
  void toLabels_anythingElse_isRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Selector.parse(text).toLabels());
    assertThatIllegalArgumentException().isThrownBy(() -> Selector.nothing().toLabels());
  }

  @Test
  void format_aLabelSelector_isForPeople() {
    assertThat(Labels.format(selector(Map.of("a", "b")))).isEqualTo("a=b");
    assertThat(Labels.format((LabelSelector) null)).isEqualTo("<none>");
    assertThat(Labels.format(selector(null))).isEqualTo("<none>");
    assertThat(Labels.format(selector(null, expression("a", "Like", "b")))).isEqualTo("<error>");
  }
}
