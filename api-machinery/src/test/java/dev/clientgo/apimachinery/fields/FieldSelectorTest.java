package dev.clientgo.apimachinery.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.apimachinery.fields.FieldRequirement.Operator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldSelectorTest {

  static Stream<Arguments> terms() {
    return Stream.of(
        Arguments.of("a", List.of("a")),
        Arguments.of("a=avalue", List.of("a=avalue")),
        Arguments.of("a=avalue,b==bvalue,c!=cvalue", List.of("a=avalue", "b==bvalue", "c!=cvalue")),
        Arguments.of("", List.of("")),
        Arguments.of("a=a,", List.of("a=a", "")),
        Arguments.of(",a=a", List.of("", "a=a")),
        Arguments.of("k=\\,,k2=v2", List.of("k=\\,", "k2=v2")),
        Arguments.of("k=\\\\,k2=v2", List.of("k=\\\\", "k2=v2")),
        Arguments.of("k=\\\\\\,,k2=v2", List.of("k=\\\\\\,", "k2=v2")),
        Arguments.of("k=\\a\\b\\", List.of("k=\\a\\b\\")),
        Arguments.of("k=\\", List.of("k=\\")),
        Arguments.of("함=수,목=록", List.of("함=수", "목=록")));
  }

  /** Upstream: TestSplitTerms. */
  @ParameterizedTest
  @MethodSource("terms")
  void terms_ofAText_areSplitAtBareCommas(String text, List<String> terms) {
    assertThat(FieldSelectorParser.terms(text)).isEqualTo(terms);
  }

  static Stream<Arguments> requirements() {
    return Stream.of(
        Arguments.of("a=value", "a", Operator.EQUALS, "value"),
        Arguments.of("b==value", "b", Operator.EQUALS, "value"),
        Arguments.of("c!=value", "c", Operator.NOT_EQUALS, "value"),
        Arguments.of("a=", "a", Operator.EQUALS, ""),
        Arguments.of("a!!=b", "a!", Operator.NOT_EQUALS, "b"),
        Arguments.of("=b", "", Operator.EQUALS, "b"),
        Arguments.of("!=b", "", Operator.NOT_EQUALS, "b"),
        Arguments.of("k=\\,", "k", Operator.EQUALS, ","),
        Arguments.of("k=\\=", "k", Operator.EQUALS, "="),
        Arguments.of("k=!\\=", "k", Operator.EQUALS, "!="),
        Arguments.of("k=\\\\\\=\\,", "k", Operator.EQUALS, "\\=,"),
        Arguments.of("함=수", "함", Operator.EQUALS, "수"));
  }

  /** Upstream: TestSplitTerm, TestEscapeValue. */
  @ParameterizedTest
  @MethodSource("requirements")
  void parse_oneTerm_isItsRequirement(String text, String field, Operator operator, String value) {
    assertThat(FieldSelector.parse(text).requirements())
        .containsExactly(new FieldRequirement(field, operator, value));
  }

  /** Upstream: TestSelectorParse. */
  @ParameterizedTest
  @ValueSource(strings = {"x=a,y=b,z=c", "", "x!=a,y=b", "x=a||y\\=b", "x=a\\=\\=b"})
  void toString_ofParsed_isTheText(String text) {
    assertThat(FieldSelector.parse(text)).hasToString(text);
  }

  /** Upstream: TestSelectorParse, TestEscapeValue. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x=a~~y=b   | '=' in the value \"a~~y=b\" must stand behind a backslash",
        "x==a==b    | '=' in the value \"a==b\" must stand behind a backslash",
        "x===a      | '=' in the value \"=a\" must stand behind a backslash",
        "x=a,b      | expected field=value or field!=value, found \"b\"",
        "x in (a)   | expected field=value or field!=value, found \"x in (a)\"",
        "x in (a,b,c) | expected field=value or field!=value, found \"b\"",
        "x          | expected field=value or field!=value, found \"x\"",
        "x=\\1      | a backslash in the value \"\\1\" must stand before a backslash, a comma or",
        "x=\\       | a backslash in the value \"\\\" must stand before a backslash, a comma or",
        "x=\\\\\\   | a backslash in the value \"\\\\\\\" must stand before a backslash, a comma",
        "<nothing>  | expected field=value or field!=value, found \"<nothing>\""
      })
  void parse_badText_saysWhy(String text, String problem) {
    String selector = text.replace('~', '|');
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FieldSelector.parse(selector))
        .withMessageStartingWith("field selector \"" + selector + "\": ")
        .withMessageContaining(problem.replace('~', '|'));
  }

  @Test
  void parse_backslashInTheNameOfAField_isNoEscape() {
    assertThat(FieldSelector.parse("x\\1=a").requirements())
        .containsExactly(new FieldRequirement("x\\1", Operator.EQUALS, "a"));
  }

  @Test
  void parse_termWithoutFieldAndValue_isSkipped() {
    assertThat(FieldSelector.parse("=").isEverything()).isTrue();
    assertThat(FieldSelector.parse("!=,=,x=")).hasToString("x=");
  }

  /** Upstream: TestDeterministicParse. */
  @Test
  void parse_otherOrder_givesTheSameSelector() {
    assertThat(FieldSelector.parse("x=a,a=x"))
        .isEqualTo(FieldSelector.parse("a=x,x=a"))
        .hasSameHashCodeAs(FieldSelector.parse("a=x,x=a"))
        .hasToString("a=x,x=a");
    assertThat(FieldSelector.parse(",,x=a,,")).isEqualTo(FieldSelector.parse("x==a"));
  }

  /** Upstream: TestSelectorMatches. */
  @Test
  void matches_fields_asRequired() {
    Map<String, String> fields = Map.of("foo", "bar", "baz", "blah", "complex", "=value\\,\\");

    assertThat(FieldSelector.parse("").matches(Map.of("x", "y"))).isTrue();
    assertThat(FieldSelector.parse("x!=y,z!=w").matches(Map.of("x", "z", "z", "a"))).isTrue();
    assertThat(FieldSelector.parse("notin=in").matches(Map.of("notin", "in"))).isTrue();
    assertThat(FieldSelector.parse("x=y").matches(Map.of("x", "z"))).isFalse();
    assertThat(FieldSelector.parse("x=y,z=w").matches(Map.of("x", "w", "z", "w"))).isFalse();
    assertThat(FieldSelector.parse("x!=y,z!=w").matches(Map.of("x", "z", "z", "w"))).isFalse();
    assertThat(FieldSelector.parse("foo=bar,baz=blah").matches(fields)).isTrue();
    assertThat(FieldSelector.parse("foo=bar,baz=blah,complex=\\=value\\\\\\,\\\\").matches(fields))
        .isTrue();
    assertThat(FieldSelector.parse("foo=blah").matches(fields)).isFalse();
    assertThat(FieldSelector.parse("foo=bar,foobar=bar,baz=blah").matches(fields)).isFalse();
  }

  @Test
  void matches_absentField_isEmpty() {
    assertThat(FieldSelector.parse("x=").matches(Map.of())).isTrue();
    assertThat(FieldSelector.parse("x!=").matches(Map.of())).isFalse();
    assertThat(FieldSelector.parse("x!=a").matches(Map.of())).isTrue();
  }

  /** Upstream: TestOneTermEqualSelector, TestSetMatches. */
  @Test
  void factories_doNotParse() {
    assertThat(FieldSelector.equal("x", "y").matches(Map.of("x", "y"))).isTrue();
    assertThat(FieldSelector.equal("x", "y").matches(Map.of("x", "z"))).isFalse();
    assertThat(FieldSelector.notEqual("x", "y").matches(Map.of("x", "z"))).isTrue();
    assertThat(FieldSelector.equal("x", "a,b=c\\")).hasToString("x=a\\,b\\=c\\\\");
    assertThat(FieldSelector.ofFields(Map.of("b", "=x", "a", "y"))).hasToString("a=y,b=\\=x");
    assertThat(FieldSelector.ofFields(Map.of())).isSameAs(FieldSelector.everything());
  }

  /** Upstream: TestEverything, TestSetIsEmpty. */
  @Test
  void everythingAndNothing_areWhatTheirNamesSay() {
    assertThat(FieldSelector.everything().matches(Map.of("x", "y"))).isTrue();
    assertThat(FieldSelector.everything().isEverything()).isTrue();
    assertThat(FieldSelector.nothing().matches(Map.of())).isFalse();
    assertThat(FieldSelector.nothing().isNothing()).isTrue();
    assertThat(FieldSelector.nothing().isEverything()).isFalse();
    assertThat(FieldSelector.nothing()).isNotEqualTo(FieldSelector.everything());
    assertThat(FieldSelector.and()).isSameAs(FieldSelector.everything());
    assertThat(FieldSelector.and(FieldSelector.parse("a=b"), FieldSelector.nothing()).isNothing())
        .isTrue();
    assertThat(FieldSelector.and(FieldSelector.parse("b=c"), FieldSelector.parse("a!=b")))
        .hasToString("b=c,a!=b");
    String text = FieldSelector.nothing().toString();
    assertThatIllegalArgumentException().isThrownBy(() -> FieldSelector.parse(text));
  }

  /** Upstream: TestRequiresExactMatch. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      quoteCharacter = '`',
      value = {
        "``            | test | none",
        "a=b           | test | none",
        "test=b        | test | b",
        "test=         | test | ``",
        "test!=b       | test | none",
        "a=,test=b     | test | b",
        "test!=a,test=b| test | b"
      })
  void requiresExactMatch_ofAField_isTheOnlyValueIfThereIsOne(
      String selector, String field, String value) {
    assertThat(FieldSelector.parse(selector).requiresExactMatch(field).orElse(null))
        .isEqualTo(value);
  }

  /** Upstream: TestTransform. */
  @Test
  void transform_changesAndDropsRequirements() {
    FieldSelector selector = FieldSelector.parse("a=b,c=d,e!=f");

    assertThat(selector.transform(Optional::of)).isEqualTo(selector);
    assertThat(
            selector.transform(
                each ->
                    each.field().equals("a")
                        ? Optional.of(new FieldRequirement("x", each.operator(), "y"))
                        : Optional.of(each)))
        .hasToString("x=y,c=d,e!=f");
    assertThat(
            selector.transform(
                each -> each.field().equals("c") ? Optional.empty() : Optional.of(each)))
        .hasToString("a=b,e!=f");
    assertThat(selector.transform(each -> Optional.empty()).isEverything()).isTrue();
    assertThat(FieldSelector.nothing().transform(each -> Optional.empty()).isNothing()).isTrue();
  }

  @Test
  void parse_ofToString_givesTheSameSelector() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String alphabet = "ab\\,=! é";
    for (int i = 0; i < 10_000; i++) {
      Map<String, String> fields = new HashMap<>();
      for (int count = random.nextInt(4); count > 0; count--) {
        StringBuilder value = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
          value.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        fields.put("f" + random.nextInt(5), value.toString());
      }
      FieldSelector selector = FieldSelector.ofFields(fields);

      assertThat(FieldSelector.parse(selector.toString()).requirements())
          .as("seed %d, %s", seed, selector)
          .containsExactlyInAnyOrderElementsOf(selector.requirements());
      assertThat(FieldSelector.parse(selector.toString()).matches(fields)).isTrue();
    }
  }

  @Test
  void parse_randomText_givesASelectorOrTheDocumentedError() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String alphabet = "ab\\,=!=,\\ é";
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(10); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      Throwable error =
          catchThrowable(
              () -> {
                FieldSelector selector = FieldSelector.parse(text.toString());
                assertThat(FieldSelector.parse(selector.toString()).requirements())
                    .hasSameElementsAs(selector.requirements());
              });
      if (error != null) {
        assertThat(error)
            .as("seed %d, %s", seed, text)
            .isExactlyInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
