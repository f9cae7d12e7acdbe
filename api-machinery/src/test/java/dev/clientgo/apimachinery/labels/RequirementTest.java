package dev.clientgo.apimachinery.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.labels.Requirement.Operator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class RequirementTest {

  private static Arguments bad(
      String key, Operator operator, List<String> values, String messagePart) {
    return argumentSet(key + " " + operator + " " + values, key, operator, values, messagePart);
  }

  /** Upstream: TestRequirementConstructor. */
  static Stream<Arguments> bad() {
    return Stream.of(
        bad("x1", Operator.IN, List.of(), "operator in on label \"x1\" takes at least one value"),
        bad("x2", Operator.NOT_IN, List.of(), "takes at least one value, not 0"),
        bad("x5", Operator.EQUALS, List.of("bar", "foo"), "takes exactly one value, not 2"),
        bad("x5", Operator.EQUALS, List.of("foo", "foo"), "takes exactly one value, not 2"),
        bad("x5", Operator.NOT_EQUALS, List.of(), "takes exactly one value, not 0"),
        bad("x8", Operator.EXISTS, List.of("foo"), "takes no value, not 1"),
        bad("x8", Operator.DOES_NOT_EXIST, List.of("foo"), "takes no value, not 1"),
        bad("x13", Operator.GREATER_THAN, List.of(), "takes exactly one value, not 0"),
        bad(
            "x14",
            Operator.GREATER_THAN,
            List.of("bar"),
            "value of label \"x14\" \"bar\" must be a whole number for the operator >"),
        bad("x15", Operator.LESS_THAN, List.of("bar"), "must be a whole number"),
        bad("x15", Operator.LESS_THAN, List.of("9223372036854775808"), "must be a whole number"),
        bad("x15", Operator.LESS_THAN, List.of(""), "must be a whole number"),
        bad("a".repeat(254), Operator.EXISTS, List.of(), "label key"),
        bad("", Operator.EXISTS, List.of(), "label key \"\" name part must not be empty"),
        bad("x16", Operator.EQUALS, List.of("a".repeat(254)), "no more than 63 characters"),
        bad("x17", Operator.EQUALS, List.of("a b"), "value of label \"x17\" \"a b\" must"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void of_whatCannotBe_saysWhy(
      String key, Operator operator, List<String> values, String messagePart) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Requirement.of(key, operator, values))
        .withMessageContaining(messagePart);
  }

  /** Upstream: TestRequirementConstructor, TestSafeSort. */
  @Test
  void of_goodValues_keepsThemSortedAndOnce() {
    Requirement requirement = Requirement.of("x", Operator.IN, "foo", "bar", "foo", "bar");

    assertThat(requirement.values()).containsExactly("bar", "foo");
    assertThat(requirement.key()).isEqualTo("x");
    assertThat(requirement.operator()).isEqualTo(Operator.IN);
    assertThat(Requirement.of("x", Operator.EXISTS).values()).isEmpty();
    assertThat(Requirement.of("x", Operator.LESS_THAN, "6").values()).containsExactly("6");
  }

  /** Upstream: TestRequirementEqual. */
  @Test
  void equals_sameKeyOperatorAndValues() {
    Requirement requirement = Requirement.of("key", Operator.IN, "foo", "bar");

    assertThat(requirement)
        .isEqualTo(Requirement.of("key", Operator.IN, "bar", "foo"))
        .hasSameHashCodeAs(Requirement.of("key", Operator.IN, "bar", "foo"))
        .isNotEqualTo(Requirement.of("key1", Operator.IN, "foo", "bar"))
        .isNotEqualTo(Requirement.of("key", Operator.NOT_IN, "foo", "bar"))
        .isNotEqualTo(Requirement.of("key", Operator.IN, "foobar"));
  }
}
