package dev.clientgo.apimachinery.intstr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IntOrStringTest {

  // TestIntOrStringUnmarshalJSON, TestIntOrStringMarshalJSON
  @ParameterizedTest
  @ValueSource(strings = {"0", "-3", "2147483647", "\"0\"", "\"http\"", "\"\"", "\"25%\""})
  void codec_anyValue_survives(String json) {
    IntOrString value = IntOrString.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));

    assertThat(new String(JsonWriter.toBytes(IntOrString.CODEC, value), UTF_8)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "{}", "2147483648", "1.5"})
  void codec_otherType_isAnError(String json) {
    assertThatThrownBy(() -> IntOrString.CODEC.read(JsonReader.of(json.getBytes(UTF_8))))
        .isInstanceOf(CodecException.class);
  }

  @Test
  void equals_numberAndText_differ() {
    assertThat(IntOrString.of(1)).isEqualTo(IntOrString.of(1)).isNotEqualTo(IntOrString.of("1"));
    assertThat(IntOrString.of("1")).isEqualTo(IntOrString.of("1")).hasToString("1");
  }

  // TestParse
  @Test
  void parse_digits_isANumber() {
    assertThat(IntOrString.parse("1")).isEqualTo(IntOrString.of(1));
    assertThat(IntOrString.parse("1%")).isEqualTo(IntOrString.of("1%"));
    assertThat(IntOrString.parse("99999999999")).isEqualTo(IntOrString.of("99999999999"));
  }

  /** Upstream: TestParse of util/intstr: numbers beyond 32 bits are texts. */
  @ParameterizedTest
  @CsvSource({
    "0, true",
    "-1, true",
    "+5, true",
    "2147483647, true",
    "-2147483648, true",
    "2147483648, false",
    "-2147483649, false",
    "9223372036854775807, false",
    "-9223372036854775808, false",
    "9223372036854775808, false",
    "abc, false",
    "'', false",
    "' 1', false",
    "1.0, false",
    "\u0661, false"
  })
  void parse_isANumberIf32BitsHoldIt(String text, boolean number) {
    IntOrString value = IntOrString.parse(text);

    assertThat(value.number().isPresent()).isEqualTo(number);
    assertThat(value.text().isPresent()).isEqualTo(!number);
    assertThat(value.intValue()).isEqualTo(number ? Integer.parseInt(text) : 0);
  }

  @Test
  void intValue_ofATextThatSaysANumber_isThat() {
    assertThat(IntOrString.of("80").intValue()).isEqualTo(80);
    assertThat(IntOrString.of("80%").intValue()).isZero();
  }

  // TestParse, and the texts that Atoi accepts
  @ParameterizedTest
  @CsvSource({
    "2147483647, true",
    "-2147483648, true",
    "+7, true",
    "007, true",
    "2147483648, false",
    "-2147483649, false",
    "9223372036854775807, false",
    "-9223372036854775808, false",
    "9223372036854775808, false",
    "-9223372036854775809, false",
    "٤, false",
    "1.0, false",
    "'', false",
    "' 1', false"
  })
  void parse_text_isANumberOf32BitsOrStaysText(String text, boolean number) {
    IntOrString value = IntOrString.parse(text);

    assertThat(value.number().isPresent()).isEqualTo(number);
    assertThat(value)
        .isEqualTo(number ? IntOrString.of(Integer.parseInt(text)) : IntOrString.of(text));
  }

  // TestGetScaledValueFromIntOrPercent, TestGetIntFromIntOrString
  @ParameterizedTest
  @CsvSource({
    "123, 50, true, 123",
    "200, 100, true, 200",
    "40%, 100, true, 40",
    "90%, 100, true, 90",
    "90%, 100, false, 90",
    "95%, 100, true, 95",
    "95%, 20, true, 19",
    "50%, 101, true, 51",
    "50%, 101, false, 50"
  })
  void scaled_numberOrPercentage_isAPartOfTheTotal(
      String value, int total, boolean roundUp, int expected) {
    assertThat(IntOrString.parse(value).scaled(total, roundUp)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "1%0", "abc", "", "50", "30%0", "a%", "a", "40#", "40%%", "200"})
  void scaled_noPercentage_isAnError(String text) {
    assertThatThrownBy(() -> IntOrString.of(text).scaled(10, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
  }
}
