package dev.clientgo.apimachinery.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlReaderTest {

  private final YamlReader reader = YamlReader.of("all.yaml");

  @Test
  void parseYaml_ofManyDocuments_skipsThoseWithoutContent() {
    List<Unstructured> objects =
        Unstructured.parseYaml(
            """
            # only a comment
            ---
            kind: A
            ---
            ---
            {"kind": "B"}
            ...
            """);

    assertThat(objects).extracting(Unstructured::kind).containsExactly("A", "B");
  }

  @Test
  void parseYaml_ofAList_keepsIt() {
    List<Unstructured> objects =
        Unstructured.parseYaml("apiVersion: v1\nkind: List\nitems:\n- kind: A\n- kind: B\n");

    assertThat(objects).extracting(Unstructured::kind).containsExactly("List");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
  void read_ofWordsForTrue_isTrue(String word) {
    assertThat(one(word)).isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "OFF"})
  void read_ofWordsForFalse_isFalse(String word) {
    assertThat(one(word)).isEqualTo(false);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "+7, 7",
    "017, 15",
    "0o17, 15",
    "0x1F, 31",
    "-0x1F, -31",
    "0b11, 3",
    "1_000, 1000",
    "9223372036854775807, 9223372036854775807"
  })
  void read_ofWholeNumbers_isALong(String text, long value) {
    assertThat(one(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"1.5, 1.5", ".5, 0.5", "1., 1", "1e3, 1000", "08, 8", "+1.5e-1, 0.15"})
  void read_ofDecimals_isTheNumber(String text, BigDecimal value) {
    assertThat(new BigDecimal(String.valueOf(one(text)))).isEqualByComparingTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2020-01-01",
        "12:30:45",
        "1.2.3",
        "0o8",
        "0xg",
        "1e",
        "yEs",
        "nil",
        "100m",
        "1Gi",
        "=",
        "-",
        "+",
        ".",
        "1e999",
        "0xFFFFFFFFFFFFFFFFF",
        "a: b",
        "#a",
        "1__"
      })
  void read_ofAnythingElse_isAString(String text) {
    String yaml =
        text.startsWith("#") || text.contains(":") || text.equals("-") || text.equals("1__")
            ? "'" + text + "'"
            : text;

    assertThat(one(yaml)).isEqualTo(text);
  }

  @Test
  void read_ofQuotedAndTagged_isAsSaid() {
    assertThat(one("'yes'")).isEqualTo("yes");
    assertThat(one("!!str 5")).isEqualTo("5");
    assertThat(one("!!int '5'")).isEqualTo(5L);
    assertThat(one("! 5")).isEqualTo("5");
    assertThat(one("!other 5")).isEqualTo("5");
  }

  @Test
  void read_ofAnchorsAndMerges_resolvesThem() {
    Object tree =
        tree(
            """
            base: &base {a: 1, b: [x]}
            same: *base
            more:
              b: 2
              <<: *base
            1: one
            yes: true
            """);

    assertThat(tree)
        .isEqualTo(
            Map.of(
                "base", Map.of("a", 1L, "b", List.of("x")),
                "same", Map.of("a", 1L, "b", List.of("x")),
                "more", Map.of("a", 1L, "b", 2L),
                "1", "one",
                "true", true));
  }

  @Test
  void read_ofABillionLaughs_isRefused() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      String[] aliases = new String[9];
      Arrays.fill(aliases, "*a" + (i - 1));
      yaml.append("a%d: &a%d [%s]%n".formatted(i, i, String.join(",", aliases)));
    }

    assertThatThrownBy(() -> reader.read(yaml.toString()))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("all.yaml, line 7, ")
        .hasMessageContaining("more than 1000000 values, its aliases resolved: split it");
  }

  @Test
  void read_ofDeepNesting_isRefused() {
    assertThatThrownBy(() -> reader.read("[".repeat(100_000)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("column 501 (document 1): is nested deeper than 500 levels");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 1\\n---\\nb: 1\\nb: 2 | line 4, column 1 (document 2): the key \"b\" is in this map"
            + " already: remove one of them",
        "a: [1, 2 | line 1, column 9 (document 1): expected ',' or ']'",
        "a: *b | line 1, column 4 (document 1): no anchor &b stands before this alias: define it",
        "a: &b [*b] | line 1, column 8 (document 1): the alias *b stands within its own anchor",
        "a: .inf | line 1, column 4 (document 1): JSON has no infinity or NaN: quote it",
        "a: !!int x | line 1, column 4 (document 1): the value is no !!int: change it or the tag",
        "? [a]\\n: b | line 1, column 3 (document 1): a key must be a string",
        "<<: 1 | line 1, column 5 (document 1): << merges maps",
        "a:\\n\\tb: 1 | line 2, column 1 (document 1): found character",
      })
  void read_ofABadText_saysWhereAndWhatToDo(String yaml, String message) {
    assertThatThrownBy(() -> reader.read(yaml.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("all.yaml, " + message);
  }

  @Test
  void read_ofAControlCharacter_saysWhere() {
    assertThatThrownBy(() -> reader.read("a: \u0007"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("all.yaml: the character U+0007 at position 3 may not stand in YAML");
  }

  @Test
  void read_withDuplicateKeysAllowed_takesTheLast() {
    assertThat(reader.allowDuplicateKeys().read("a: 1\na: 2\n").get(0).tree())
        .isEqualTo(Map.of("a", 2L));
  }

  @Test
  void read_typed_namesTheLineOfAWrongValue() {
    String yaml =
        """
        kind: First
        ---
        kind: Pod
        name: x
        controller: 5
        """;

    assertThatThrownBy(() -> reader.read(yaml, OwnerReference.CODEC))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("all.yaml, line 5, column 13 (document 2): ")
        .hasMessageContaining(" at /controller");
  }

  @Test
  void read_typed_returnsObjects() {
    assertThat(reader.read("1\n---\n2\n", JsonCodecs.LONG)).containsExactly(1L, 2L);
  }

  @Test
  void read_ofJson_readsAsJson() {
    assertThat(tree("{\"a\":\t\"\\/\\ud83d\\ude00\",\n\t\"b\": [1.0, null]}"))
        .isEqualTo(Map.of("a", "/\uD83D\uDE00", "b", Arrays.asList(1.0, null)));
  }

  private Object tree(String yaml) {
    return reader.read(yaml).get(0).tree();
  }

  private @Nullable Object one(String scalar) {
    return ((Map<?, ?>) tree("a: " + scalar + "\n")).get("a");
  }

  /** Long scalars in the forms of numbers do not exhaust the stack. */
  @Test
  void scalar_ofManyDigits_isRead() {
    String digits = "1".repeat(200_000);
    for (String text : List.of("." + digits, ".1e" + digits, "1" + ":1".repeat(100_000), digits)) {
      assertThat(YamlReader.of("x").read("a: " + text)).hasSize(1);
      assertThat(YamlWriter.format(Map.of("a", text))).contains(text);
    }
  }

  /** A conversion of all digits would take minutes. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void integer_beyondAllNumbers_isAString() {
    String digits = "9".repeat(3_000_000);

    assertThat(one(digits)).isEqualTo(digits);
  }
}
