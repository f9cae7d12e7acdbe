package dev.clientgo.apimachinery.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.apimachinery.labels.Requirement.Operator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectorTest {

  private static Requirement requirement(String key, Operator operator, String... values) {
    return Requirement.of(key, operator, values);
  }

  /** Upstream: TestSelectorParse. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x=a,y=b,z=c",
        "",
        "x!=a,y=b",
        "x=",
        "x= ",
        "x=,z= ",
        "x= ,z= ",
        "!x",
        "x>1",
        "x>1,z<5"
      })
  void parse_goodText_comesBackWithoutSpaces(String text) {
    assertThat(Selector.parse(text)).hasToString(text.replace(" ", ""));
  }

  static Stream<Arguments> sets() {
    return Stream.of(
        Arguments.of("", List.of()),
        Arguments.of("\rx", List.of(requirement("x", Operator.EXISTS))),
        Arguments.of(
            "this-is-a-dns.domain.com/key-with-dash",
            List.of(requirement("this-is-a-dns.domain.com/key-with-dash", Operator.EXISTS))),
        Arguments.of(
            "this-is-another-dns.domain.com/key-with-dash in (so,what)",
            List.of(
                requirement(
                    "this-is-another-dns.domain.com/key-with-dash", Operator.IN, "so", "what"))),
        Arguments.of(
            "0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)",
            List.of(
                requirement("0.1.2.domain/99", Operator.NOT_IN, "10.10.100.1", "tick.tack.clock"))),
        Arguments.of("foo  in\t (abc)", List.of(requirement("foo", Operator.IN, "abc"))),
        Arguments.of("x notin\n (abc)", List.of(requirement("x", Operator.NOT_IN, "abc"))),
        Arguments.of(
            "x  notin\t\t\t(abc,def)", List.of(requirement("x", Operator.NOT_IN, "abc", "def"))),
        Arguments.of("x in (abc,def)", List.of(requirement("x", Operator.IN, "abc", "def"))),
        Arguments.of("x in (abc,)", List.of(requirement("x", Operator.IN, "abc", ""))),
        Arguments.of("x in (abc,abc)", List.of(requirement("x", Operator.IN, "abc"))),
        Arguments.of("x in ()", List.of(requirement("x", Operator.IN, ""))),
        Arguments.of("x in (a,,)", List.of(requirement("x", Operator.IN, "a", ""))),
        Arguments.of("x in (a,,,)", List.of(requirement("x", Operator.IN, "a", ""))),
        Arguments.of("x in (a,,,,,,)", List.of(requirement("x", Operator.IN, "a", ""))),
        Arguments.of("x in (a,,a,,a,,a,,)", List.of(requirement("x", Operator.IN, "a", ""))),
        Arguments.of("z in (,,)", List.of(requirement("z", Operator.IN, ""))),
        Arguments.of(
            "x notin (abc,,def),bar,z in (),w",
            List.of(
                requirement("bar", Operator.EXISTS),
                requirement("w", Operator.EXISTS),
                requirement("x", Operator.NOT_IN, "abc", "", "def"),
                requirement("z", Operator.IN, ""))),
        Arguments.of(
            "x,y in (a)",
            List.of(requirement("x", Operator.EXISTS), requirement("y", Operator.IN, "a"))),
        Arguments.of("x=a", List.of(requirement("x", Operator.EQUALS, "a"))),
        Arguments.of("x == a", List.of(requirement("x", Operator.DOUBLE_EQUALS, "a"))),
        Arguments.of("x>1", List.of(requirement("x", Operator.GREATER_THAN, "1"))),
        Arguments.of("x<7", List.of(requirement("x", Operator.LESS_THAN, "7"))),
        Arguments.of(
            "x=a,y!=b",
            List.of(
                requirement("x", Operator.EQUALS, "a"),
                requirement("y", Operator.NOT_EQUALS, "b"))),
        Arguments.of(
            "x=a,y!=b,z in (h,i,j)",
            List.of(
                requirement("x", Operator.EQUALS, "a"),
                requirement("y", Operator.NOT_EQUALS, "b"),
                requirement("z", Operator.IN, "h", "i", "j"))),
        Arguments.of("x notin ( )", List.of(requirement("x", Operator.NOT_IN, ""))),
        Arguments.of("x notin (, a)", List.of(requirement("x", Operator.NOT_IN, "", "a"))),
        Arguments.of("a ", List.of(requirement("a", Operator.EXISTS))),
        Arguments.of(
            "a in (x,y,notin, z,in)",
            List.of(requirement("a", Operator.IN, "in", "notin", "x", "y", "z"))),
        Arguments.of("in in (in)", List.of(requirement("in", Operator.IN, "in"))),
        Arguments.of("notin=in", List.of(requirement("notin", Operator.EQUALS, "in"))),
        Arguments.of("! notin", List.of(requirement("notin", Operator.DOES_NOT_EXIST))));
  }

  /** Upstream: TestSetSelectorParser, TestLexer, TestLexerSequence. */
  @ParameterizedTest
  @MethodSource("sets")
  void parse_goodText_givesItsRequirementsByKey(String text, List<Requirement> requirements) {
    assertThat(Selector.parse(text).requirements()).isEqualTo(requirements);
  }

  /** Upstream: TestSelectorParse, TestSetSelectorParser, TestParseOperator. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x=a~~y=b        | 1  | value of label \"x\" \"a~~y\" must be empty",
        "x==a==b         | 5  | expected ',' or the end, found '=='",
        "!x=a            | 3  | expected ',' or the end, found '='",
        "x<a             | 1  | must be a whole number",
        "x>              | 1  | must be a whole number",
        "x,,y            | 3  | expected a label key, found ','",
        ",x,y            | 1  | expected a label key, found ','",
        "x,              | 3  | expected a label key, found the end",
        "x nott in (y)   | 3  | expected an operator (=, ==, !=, in, notin, > or <), ',' or the end",
        "x exists        | 3  | expected an operator",
        "x!              | 2  | expected an operator (=, ==, !=, in, notin, > or <), ',' or the end",
        "a in (xyz),     | 12 | expected a label key, found the end",
        "a in (xyz)b notin () | 11 | expected ',' or the end, found 'b'",
        "a in (xyz abc)  | 11 | expected ')', found 'abc'",
        "a in (x         | 8  | expected ')', found the end",
        "a in x          | 6  | expected '(', found 'x'",
        "a in            | 5  | expected '(', found the end",
        "a notin(        | 9  | expected ')', found the end",
        "a (             | 3  | expected an operator",
        "(               | 1  | expected a label key, found '('",
        "!               | 2  | expected a label key, found the end",
        "!!x             | 2  | expected a label key, found '!'",
        "x=(             | 3  | expected a label value, found '('",
        "x===a           | 4  | expected a label value, found '='",
        "x in (())       | 7  | expected ')', found '('",
        "a,x/y/z         | 3  | label key \"x/y/z\" must not contain more than one '/'",
        "a,x=-b          | 3  | value of label \"x\" \"-b\" must be empty, or consist of",
        "<nothing>       | 1  | expected a label key, found '<'"
      })
  void parse_badText_saysWhereAndWhy(String text, int position, String problem) {
    String selector = text.replace('~', '|');

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.parse(selector))
        .withMessageStartingWith(
            "label selector \"" + selector + "\", character " + position + ": ")
        .withMessageContaining(problem.replace('~', '|'));
  }

  @Test
  void parse_nulCharacter_doesNotHideTheRest() {
    assertThatIllegalArgumentException().isThrownBy(() -> Selector.parse("x=a\0,y=b"));
  }

  @Test
  void parse_longBadText_isNotRepeatedInFull() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.parse("(".repeat(100_000)))
        .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(500));
  }

  /** Upstream: TestDeterministicParse. */
  @Test
  void parse_otherOrder_givesTheSameSelector() {
    assertThat(Selector.parse("x=a,a=x")).isEqualTo(Selector.parse("a=x,x=a"));
    assertThat(Selector.parse("x=a,a=x")).hasToString("a=x,x=a");
    assertThat(Selector.parse("x in (b,a,b)")).hasToString("x in (a,b)");
  }

  /** Upstream: TestSelectorMatches, TestRequirementSelectorMatching. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``            | x=y",
        "x=y           | x=y",
        "x=y,z=w       | x=y,z=w",
        "x!=y,z!=w     | x=z,z=a",
        "notin=in      | notin=in",
        "x             | x=z",
        "!x            | y=z",
        "x>1           | x=2",
        "x<1           | x=0",
        "foo=bar       | foo=bar,baz=blah",
        "baz=blah      | foo=bar,baz=blah",
        "foo=bar,baz=blah | foo=bar,baz=blah",
        "x in (foo),y notin (alpha) | x=foo,y=baz",
        "x notin (),y  | y=",
        "!x,y          | y=",
        "z>1           | z=2",
        "x=            | x=",
        "x!=a          | ``",
        "x>9223372036854775806 | x=9223372036854775807"
      })
  void matches_objectThatMeetsIt_isTrue(String selector, String labels) {
    assertThat(Selector.parse(selector).matches(Labels.parse(labels))).isTrue();
  }

  /** Upstream: TestSelectorMatches, TestRequirementSelectorMatching. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x=z           | ``",
        "x=y           | x=z",
        "x=y,z=w       | x=w,z=w",
        "x!=y,z!=w     | x=z,z=w",
        "x             | y=z",
        "!x            | x=z",
        "x>1           | x=0",
        "x<1           | x=2",
        "x>1           | x=1",
        "x<1           | x=1",
        "x>1           | ``",
        "foo=blah      | foo=bar,baz=blah",
        "baz=bar       | foo=bar,baz=blah",
        "foo=bar,foobar=bar,baz=blah | foo=bar,baz=blah",
        "x in (foo),y in (alpha) | x=foo,y=baz",
        "x notin (),!y | y=",
        "x in ()       | y=baz",
        "z>1           | z=v2",
        "z<1           | z=9223372036854775808",
        "x=            | ``"
      })
  void matches_objectThatDoesNotMeetIt_isFalse(String selector, String labels) {
    assertThat(Selector.parse(selector).matches(Labels.parse(labels))).isFalse();
  }

  /** Upstream: TestEverything, TestMatchesNothing, TestNilMapIsValid, TestSetIsEmpty. */
  @Test
  void everythingAndNothing_areWhatTheirNamesSay() {
    assertThat(Selector.everything().matches(Map.of("x", "y"))).isTrue();
    assertThat(Selector.everything().matches(null)).isTrue();
    assertThat(Selector.everything().isEverything()).isTrue();
    assertThat(Selector.everything().isNothing()).isFalse();
    assertThat(Selector.parse("")).isSameAs(Selector.everything());
    assertThat(Selector.of(Map.of())).isSameAs(Selector.everything());

    assertThat(Selector.nothing().matches(Map.of("x", "y"))).isFalse();
    assertThat(Selector.nothing().matches(Map.of())).isFalse();
    assertThat(Selector.nothing().isEverything()).isFalse();
    assertThat(Selector.nothing().isNothing()).isTrue();
    assertThat(Selector.nothing().requirements()).isEmpty();
    assertThat(Selector.nothing()).isNotEqualTo(Selector.everything());
    assertThat(Selector.nothing().and(requirement("x", Operator.EXISTS)).isNothing()).isTrue();
    assertThat(Selector.parse("a,!a").isNothing()).isFalse();
  }

  @Test
  void nothing_asText_isRefusedAndNotTakenForEverything() {
    String text = Selector.nothing().toString();

    assertThatIllegalArgumentException().isThrownBy(() -> Selector.parse(text));
  }

  @Test
  void matches_noLabels_isAsWithAnEmptyMap() {
    assertThat(Selector.parse("x").matches(null)).isFalse();
    assertThat(Selector.parse("!x,y!=z").matches(null)).isTrue();
  }

  /** Upstream: TestSetMatches, TestSetSelectorString. */
  @Test
  void ofLabels_givesASelectorOfEqualValues() {
    Map<String, String> labels = Map.of("foo", "bar", "baz", "blah");

    assertThat(Selector.of(labels).matches(labels)).isTrue();
    assertThat(Selector.of(Map.of("foo", "bar")).matches(labels)).isTrue();
    assertThat(Selector.of(labels).matches(Map.of("foo", "bar"))).isFalse();
    assertThat(Selector.of(labels)).hasToString("baz=blah,foo=bar");
  }

  /** Upstream: TestValidatedSelectorFromSet. */
  @Test
  void ofLabels_badValue_namesIt() {
    String value = "axahm2EJ8Phiephe2eixohbee9eGeiyees1thuozi1xoh0GiuH3diewi8iem7Nui";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selector.of(Map.of("Key", value)))
        .withMessage("value of label \"Key\" \"" + value + "\" must be no more than 63 characters");
  }

  /** Upstream: TestToString. */
  @Test
  void toString_ofRequirements_isTheirText() {
    assertThat(
            Selector.of(
                requirement("z", Operator.EXISTS),
                requirement("y", Operator.NOT_IN, "jkl"),
                requirement("x", Operator.IN, "def", "abc")))
        .hasToString("x in (abc,def),y notin (jkl),z");
    assertThat(
            Selector.of(
                requirement("x", Operator.EQUALS, "abc"),
                requirement("y", Operator.DOUBLE_EQUALS, "jkl"),
                requirement("z", Operator.NOT_EQUALS, "a"),
                requirement("z", Operator.DOES_NOT_EXIST)))
        .hasToString("x=abc,y==jkl,z!=a,!z");
    assertThat(
            Selector.of(
                requirement("x", Operator.GREATER_THAN, "2"),
                requirement("y", Operator.LESS_THAN, "8"),
                requirement("z", Operator.NOT_IN, "")))
        .hasToString("x>2,y<8,z notin ()");
  }

  /** Upstream: TestAdd. */
  @Test
  void and_moreRequirements_givesANewSelector() {
    Selector selector = Selector.parse("key in (value)");

    assertThat(selector.and(requirement("a", Operator.EQUALS, "value2")))
        .hasToString("a=value2,key in (value)");
    assertThat(selector).hasToString("key in (value)");
    assertThat(Selector.everything().and(requirement("key", Operator.IN, "value")))
        .isEqualTo(selector);
  }

  /** Upstream: TestRequiresExactMatch. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "key in (value)                        | key  | value",
        "key in (value,value2)                 | key  | none",
        "key in (value,value1),key2 in (value2)| key2 | value2",
        "key=value                             | key  | value",
        "key==value                            | key  | value",
        "key!=value                            | key  | none",
        "key in (value),key2 in (value2)       | key  | value",
        "key,key=value                         | key  | none",
        "key=value                             | other| none"
      })
  void requiresExactMatch_ofALabel_isTheOnlyValueIfThereIsOne(
      String selector, String key, String value) {
    assertThat(Selector.parse(selector).requiresExactMatch(key).orElse(null)).isEqualTo(value);
  }

  @Test
  void parse_ofToString_givesTheSameSelector() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      List<Requirement> requirements = new ArrayList<>();
      for (int count = random.nextInt(5); count > 0; count--) {
        requirements.add(randomRequirement(random));
      }
      Selector selector = Selector.of(requirements);

      assertThat(Selector.parse(selector.toString())).as("seed %d", seed).isEqualTo(selector);
      assertThat(Selector.parse(selector.toString())).hasSameHashCodeAs(selector);
    }
  }

  private static Requirement randomRequirement(Random random) {
    String[] words = {"a", "in", "notin", "exists", "x.y", "A_b-c", "0", "17"};
    String key = (random.nextBoolean() ? "" : "p.q/") + words[random.nextInt(words.length)];
    List<Operator> operators = List.of(Operator.values());
    Operator operator = operators.get(random.nextInt(operators.size()));
    List<String> values = new ArrayList<>();
    switch (operator) {
      case IN, NOT_IN -> {
        do {
          values.add(random.nextInt(4) == 0 ? "" : words[random.nextInt(words.length)]);
        } while (random.nextBoolean());
      }
      case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> values.add(words[random.nextInt(words.length)]);
      case GREATER_THAN, LESS_THAN -> values.add(Integer.toString(random.nextInt(100)));
      case EXISTS, DOES_NOT_EXIST -> {}
    }
    return Requirement.of(key, operator, values);
  }

  @Test
  void parse_randomText_givesASelectorOrTheDocumentedError() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String[] pieces = {
      "x", "y/z", "in", "notin", "=", "==", "!=", "!", "<", ">", "(", ")", ",", " ", "\t", "1", "é",
      "\0", "-", "a.b"
    };
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int count = random.nextInt(12); count > 0; count--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      Throwable error =
          catchThrowable(
              () -> {
                Selector selector = Selector.parse(text.toString());
                assertThat(Selector.parse(selector.toString())).isEqualTo(selector);
                selector.matches(Map.of("x", "1"));
              });
      if (error != null) {
        assertThat(error)
            .as("seed %d, %s", seed, text)
            .isExactlyInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void matches_alwaysAgreesWithItsRequirements() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      Requirement first = randomRequirement(random);
      Requirement second = randomRequirement(random);
      Map<String, String> labels = new LinkedHashMap<>();
      for (int count = random.nextInt(4); count > 0; count--) {
        Requirement label = randomRequirement(random);
        labels.put(label.key(), label.values().isEmpty() ? "" : label.values().get(0));
      }
      assertThat(Selector.of(first, second).matches(labels))
          .as("seed %d, %s, %s, %s", seed, first, second, labels)
          .isEqualTo(first.matches(labels) && second.matches(labels));
    }
  }
}
