package dev.clientgo.apimachinery.resource;

import static dev.clientgo.apimachinery.resource.Quantity.Format.BINARY_SI;
import static dev.clientgo.apimachinery.resource.Quantity.Format.DECIMAL_EXPONENT;
import static dev.clientgo.apimachinery.resource.Quantity.Format.DECIMAL_SI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.apimachinery.resource.Quantity.Format;
import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest extends QuantityFixture {

  /** Upstream: TestQuantityParse; text, number, format. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, DECIMAL_SI",
    "0n, 0, DECIMAL_SI",
    "0u, 0, DECIMAL_SI",
    "0m, 0, DECIMAL_SI",
    "0Ki, 0, BINARY_SI",
    "0k, 0, DECIMAL_SI",
    "0Mi, 0, BINARY_SI",
    "0M, 0, DECIMAL_SI",
    "0Gi, 0, BINARY_SI",
    "0G, 0, DECIMAL_SI",
    "0Ti, 0, BINARY_SI",
    "0T, 0, DECIMAL_SI",
    "0e500, 0, DECIMAL_EXPONENT",
    "1, 1, DECIMAL_SI",
    "1Ki, 1024, BINARY_SI",
    "8Ki, 8192, BINARY_SI",
    "7Mi, 7340032, BINARY_SI",
    "6Gi, 6442450944, BINARY_SI",
    "5Ti, 5497558138880, BINARY_SI",
    "4Pi, 4503599627370496, BINARY_SI",
    "3Ei, 3458764513820540928, BINARY_SI",
    "10Ti, 10995116277760, BINARY_SI",
    "100Ti, 109951162777600, BINARY_SI",
    "5n, 5e-9, DECIMAL_SI",
    "4u, 4e-6, DECIMAL_SI",
    "3m, 3e-3, DECIMAL_SI",
    "9, 9, DECIMAL_SI",
    "8k, 8e3, DECIMAL_SI",
    "50k, 5e4, DECIMAL_SI",
    "7M, 7e6, DECIMAL_SI",
    "6G, 6e9, DECIMAL_SI",
    "5T, 5e12, DECIMAL_SI",
    "40T, 4e13, DECIMAL_SI",
    "300T, 3e14, DECIMAL_SI",
    "2P, 2e15, DECIMAL_SI",
    "1E, 1e18, DECIMAL_SI",
    "12E, 12e18, DECIMAL_SI",
    "1E-3, 1e-3, DECIMAL_EXPONENT",
    "1e3, 1e3, DECIMAL_EXPONENT",
    "1E6, 1e6, DECIMAL_EXPONENT",
    "1e9, 1e9, DECIMAL_EXPONENT",
    "1E12, 1e12, DECIMAL_EXPONENT",
    "1e15, 1e15, DECIMAL_EXPONENT",
    "1E18, 1e18, DECIMAL_EXPONENT",
    "1e14, 1e14, DECIMAL_EXPONENT",
    "1e13, 1e13, DECIMAL_EXPONENT",
    "100.035k, 100035, DECIMAL_SI",
    "0.001, 1e-3, DECIMAL_SI",
    "0.0005k, 0.5, DECIMAL_SI",
    "0.005, 5e-3, DECIMAL_SI",
    "0.05, 5e-2, DECIMAL_SI",
    "0.5, 0.5, DECIMAL_SI",
    "0.00050k, 0.5, DECIMAL_SI",
    "0.00500, 5e-3, DECIMAL_SI",
    "0.05000, 5e-2, DECIMAL_SI",
    "0.50000, 0.5, DECIMAL_SI",
    "0.5e0, 0.5, DECIMAL_EXPONENT",
    "0.5e-1, 5e-2, DECIMAL_EXPONENT",
    "0.5e-2, 5e-3, DECIMAL_EXPONENT",
    "10.035M, 10035e3, DECIMAL_SI",
    "1.2e3, 1200, DECIMAL_EXPONENT",
    "1.3E+6, 1300000, DECIMAL_EXPONENT",
    "1.40e9, 14e8, DECIMAL_EXPONENT",
    "1.53E12, 153e10, DECIMAL_EXPONENT",
    "1.6e15, 16e14, DECIMAL_EXPONENT",
    "1.7E18, 17e17, DECIMAL_EXPONENT",
    "9.01, 9.01, DECIMAL_SI",
    "8.1k, 8100, DECIMAL_SI",
    "7.123456M, 7123456, DECIMAL_SI",
    "6.987654321G, 6987654321, DECIMAL_SI",
    "5.444T, 5444e9, DECIMAL_SI",
    "40.1T, 401e11, DECIMAL_SI",
    "300.2T, 3002e11, DECIMAL_SI",
    "2.5P, 25e14, DECIMAL_SI",
    "1.01E, 101e16, DECIMAL_SI",
    "3.001n, 4e-9, DECIMAL_SI",
    "1.1E-9, 2e-9, DECIMAL_EXPONENT",
    "0.0000000001, 1e-9, DECIMAL_SI",
    "0.0000000005, 1e-9, DECIMAL_SI",
    "0.00000000050, 1e-9, DECIMAL_SI",
    "0.5e-9, 1e-9, DECIMAL_EXPONENT",
    "0.9n, 1e-9, DECIMAL_SI",
    "0.1n, 1e-9, DECIMAL_SI",
    "0.00000012345, 124e-9, DECIMAL_SI",
    "0.00000012354, 124e-9, DECIMAL_SI",
    "9Ei, 9223372036854775807, BINARY_SI",
    "9223372036854775807Ki, 9223372036854775807, BINARY_SI",
    "9223372036854775808Ei, 9223372036854775807, BINARY_SI",
    "100.035Ki, 102435.84, BINARY_SI",
    "0.5Mi, 524288, BINARY_SI",
    "0.05Gi, 53687091.2, BINARY_SI",
    "0.025Ti, 27487790694.4, BINARY_SI",
    "0.000000000001Ki, 2e-9, DECIMAL_SI",
    ".5Ki, 512, BINARY_SI",
    ".001, 1e-3, DECIMAL_SI",
    ".0001k, 0.1, DECIMAL_SI",
    "1., 1, DECIMAL_SI",
    "1.G, 1e9, DECIMAL_SI"
  })
  void parse_goodText_givesNumberAndFormat(String text, BigDecimal number, Format format) {
    Quantity quantity = Quantity.parse(text);

    assertThat(quantity.toBigDecimal()).isEqualByComparingTo(number);
    assertThat(quantity.format()).isEqualTo(format);
    assertThat(Quantity.parse("+" + text)).isEqualTo(quantity);
    assertThat(Quantity.parse("-" + text).toBigDecimal()).isEqualByComparingTo(number.negate());
    assertThat(Quantity.parse("-" + text).format()).isEqualTo(format);
  }

  /** Upstream: TestQuantityParse, TestQuantityParseNonNumericPanic. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "1.1.M|has the unknown suffix \".M\"",
        "1+1.0M|has the unknown suffix \"+1.0M\"",
        "0.1mi|has the unknown suffix \"mi\"",
        "0.1am|has the unknown suffix \"am\"",
        "aoeu|does not begin with a number",
        ".5i|has the unknown suffix \"i\"",
        "1i|has the unknown suffix \"i\"",
        "-3.01i|has the unknown suffix \"i\"",
        "-3.01e-|has the unknown suffix \"e-\"",
        "1e|has the unknown suffix \"e\"",
        "1e1.5|has the unknown suffix \"e1.5\"",
        "1K|has the unknown suffix \"K\"",
        "1k5|has the unknown suffix \"k5\"",
        "1 Gi|has the unknown suffix \" Gi\"",
        " 1|does not begin with a number",
        "1 |has the unknown suffix \" \"",
        "''|does not begin with a number",
        ".|does not begin with a number",
        "-|does not begin with a number",
        "Ki|does not begin with a number",
        "--1|does not begin with a number",
        "٣|does not begin with a number",
        "1e1001|has an exponent beyond 1000",
        "1e-99999999999999999999|has an exponent beyond 1000"
      })
  void parse_badText_saysWhatIsWrong(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantity.parse(text))
        .withMessage(
            "expected a quantity such as 500m, 2 or 1.5Gi, but \"" + text + "\" " + problem);
  }

  @Test
  void parse_hugeNumbers_isRefusedOrQuick() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantity.parse("9".repeat(1_000_000)))
        .withMessageEndingWith("has more than 1000 characters")
        .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(200));
    assertThat(Quantity.parse("1e-1000")).isEqualTo(Quantity.parse("1n"));
    assertThat(Quantity.parse("1e1000").plus(Quantity.parse("1n")).signum()).isOne();
  }

  /** Upstream: TestQuantityString; canonical text, and another that means the same. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1073741824, 0, BINARY_SI, 1Gi, 1024Mi",
        "314572800, 0, BINARY_SI, 300Mi, 307200Ki",
        "6144, 0, BINARY_SI, 6Ki, -",
        "1074815565824, 0, BINARY_SI, 1001Gi, 1025024Mi",
        "1099511627776, 0, BINARY_SI, 1Ti, 1024Gi",
        "5, 0, BINARY_SI, 5, 5000m",
        "500, -3, BINARY_SI, 500m, 0.5",
        "1, 9, DECIMAL_SI, 1G, 1000M",
        "1000, 6, DECIMAL_SI, 1G, 0.001T",
        "1000000, 3, DECIMAL_SI, 1G, -",
        "1000000000, 0, DECIMAL_SI, 1G, -",
        "1, -3, DECIMAL_SI, 1m, 1000u",
        "80, -3, DECIMAL_SI, 80m, -",
        "1080, -3, DECIMAL_SI, 1080m, 1.08",
        "108, -2, DECIMAL_SI, 1080m, 1080000000n",
        "10800, -4, DECIMAL_SI, 1080m, -",
        "300, 6, DECIMAL_SI, 300M, -",
        "1, 12, DECIMAL_SI, 1T, -",
        "1234567, 6, DECIMAL_SI, 1234567M, -",
        "1234567, -3, BINARY_SI, 1234567m, -",
        "3, 3, DECIMAL_SI, 3k, -",
        "1025, 0, BINARY_SI, 1025, -",
        "0, 0, DECIMAL_SI, 0, -",
        "0, 0, BINARY_SI, 0, -",
        "1, 9, DECIMAL_EXPONENT, 1e9, .001e12",
        "1, -3, DECIMAL_EXPONENT, 1e-3, 0.001e0",
        "1, -9, DECIMAL_EXPONENT, 1e-9, 1000e-12",
        "80, -3, DECIMAL_EXPONENT, 80e-3, -",
        "300, 6, DECIMAL_EXPONENT, 300e6, -",
        "1, 12, DECIMAL_EXPONENT, 1e12, -",
        "1, 3, DECIMAL_EXPONENT, 1e3, -",
        "3, 3, DECIMAL_EXPONENT, 3e3, -",
        "0, 0, DECIMAL_EXPONENT, 0, 00",
        "1, -9, DECIMAL_SI, 1n, -",
        "80, -9, DECIMAL_SI, 80n, -",
        "1080, -9, DECIMAL_SI, 1080n, -",
        "108, -8, DECIMAL_SI, 1080n, -",
        "10800, -10, DECIMAL_SI, 1080n, -",
        "1, -6, DECIMAL_SI, 1u, -",
        "80, -6, DECIMAL_SI, 80u, -",
        "1080, -6, DECIMAL_SI, 1080u, -"
      })
  void toString_isCanonical(
      long unscaled, int exponent, Format format, String text, String alternate) {
    Quantity quantity = decimal(unscaled, exponent, format);

    assertThat(quantity).hasToString(text).isEqualTo(Quantity.parse(text));
    assertThat(Quantity.parse(text)).hasToString(text);
    if (alternate != null) {
      assertThat(Quantity.parse(alternate)).hasToString(text).isEqualTo(quantity);
    }
    if (unscaled != 0) {
      assertThat(quantity.negate()).hasToString("-" + text);
    }
  }

  /** Upstream: TestQuantityParseEmit. */
  @ParameterizedTest
  @CsvSource({
    "1Ki, 1Ki",
    "1Mi, 1Mi",
    "1Gi, 1Gi",
    "1024Mi, 1Gi",
    "1000M, 1G",
    ".001Ki, 1024m",
    ".000001Ki, 1024u",
    ".000000001Ki, 1024n",
    ".000000000001Ki, 2n",
    ".5Mi, 512Ki",
    "1000, 1k",
    "1.5, 1500m",
    "10000, 10k",
    "1024Ki, 1Mi"
  })
  void toString_ofParsed_isCanonical(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.parse("-" + text)).hasToString("-" + canonical);
  }

  /** Upstream prints a text unchanged if it considers it canonical. */
  @ParameterizedTest
  @ValueSource(strings = {"1.234", "1.500", "+1", "007", "1025Ki", "1.5e-2", "1.234567890"})
  void toString_ofWhatUpstreamTakesForCanonical_isTheText(String text) {
    assertThat(Quantity.parse(text)).hasToString(text);
  }

  /** Upstream: TestParseQuantity; text and, if it is another, the canonical one. */
  @ParameterizedTest
  @CsvSource({
    "999999999999999999, 999999999999999999",
    "999999999999999999.0, 999999999999999999",
    "999999999999999999.1, 999999999999999999100m",
    "9999999999999999999, 9999999999999999999",
    "1E, 1E",
    "1000000000000000000, 1E",
    "9999999999999999999.0, 9999999999999999999",
    "1.0E, 1E",
    "1000000000000000000.0, 1E",
    "9999999999999999999000m, 9999999999999999999",
    "9999999999999999999.1, 9999999999999999999100m",
    "1.0000000000000000001E, 1000000000000000000100m",
    "1000000000000000000.1, 1000000000000000000100m",
    "1.000000000000000001E, 1000000000000000001",
    "1000000000000000001, 1000000000000000001",
    "10E, 10E",
    "10000000000000000000, 10E",
    "10.0E, 10E",
    "10000000000000000000.0, 10E",
    "10000000000000000000000m, 10E",
    "10.0000000000000000001E, 10000000000000000000100m",
    "10000000000000000000.1, 10000000000000000000100m",
    "10.000000000000000001E, 10000000000000000001",
    "10000000000000000001, 10000000000000000001",
    "9223372036854775809, 9223372036854775809",
    "9223372036854775806, 9223372036854775806",
    "9223372036854775809.0, 9223372036854775809",
    "9223372036854775806000m, 9223372036854775806",
    "9223372036854775806.1, 9223372036854775806100m",
    "9223372036854775808, 9223372036854775808",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775807.0, 9223372036854775807",
    "9223372036854775808000m, 9223372036854775808",
    "9223372036854775808.1, 9223372036854775808100m"
  })
  void parse_atTheEdgeOf64Bits_isExact(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.parse("-" + text)).hasToString("-" + canonical);
    assertThat(Quantity.parse(canonical)).isEqualTo(Quantity.parse(text));
  }

  @Test
  void toString_beyondTheLargestSuffix_keepsTheWholeNumber() {
    assertThat(Quantity.parse("1000E")).hasToString("1000E");
    assertThat(decimal(1, 24, DECIMAL_SI)).hasToString("1000000E");
    assertThat(decimal(1, 24, DECIMAL_EXPONENT)).hasToString("1e24");
    assertThat(Quantity.parse("1Ei").times(4096)).hasToString("4096Ei");
  }

  @Test
  void toLongExact_wholeNumberOf64Bits_isIt() {
    assertThat(Quantity.parse("1E").toLongExact())
        .isEqualTo(OptionalLong.of(1_000_000_000_000_000_000L));
    assertThat(Quantity.parse("1000000000000000000").toLongExact()).isPresent();
    assertThat(Quantity.parse("5000m").toLongExact()).isEqualTo(OptionalLong.of(5));
    assertThat(Quantity.of(Long.MIN_VALUE).toLongExact())
        .isEqualTo(OptionalLong.of(Long.MIN_VALUE));
    assertThat(Quantity.parse("9223372036854775808").toLongExact()).isEmpty();
    assertThat(Quantity.parse("1500m").toLongExact()).isEmpty();
    assertThat(Quantity.parse("1n").toLongExact()).isEmpty();
  }

  /** Upstream: TestNewSet, TestMilliNewSet. */
  @Test
  void of_aNumber_isWrittenInItsFormat() {
    assertThat(Quantity.of(1)).hasToString("1");
    assertThat(Quantity.of(1000)).hasToString("1k");
    assertThat(Quantity.of(1_234_000)).hasToString("1234k");
    assertThat(Quantity.of(1024, BINARY_SI)).hasToString("1Ki");
    assertThat(Quantity.of(-1024, BINARY_SI)).hasToString("-1Ki");
    assertThat(Quantity.of(1_000_000, DECIMAL_EXPONENT)).hasToString("1e6");
    assertThat(Quantity.of(1 << 20, BINARY_SI)).hasToString("1Mi");
    assertThat(decimal(1024, -3, BINARY_SI)).hasToString("1024m");
    assertThat(decimal(1 << 20, -3, BINARY_SI)).hasToString("1048576m");
    assertThat(Quantity.of(new BigDecimal("1e-12"), DECIMAL_SI)).hasToString("1n");
  }

  /** Upstream: TestJSON, TestQuantityRoundtripCBOR. */
  @Test
  void parse_ofToString_givesTheSameQuantity() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      Quantity quantity = random(random);
      Quantity parsed = Quantity.parse(quantity.toString());

      assertThat(parsed).as("seed %d", seed).isEqualTo(quantity).hasSameHashCodeAs(quantity);
    }
  }

  @Test
  void parse_randomText_givesAQuantityOrTheDocumentedError() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String alphabet = "0012589..+-eEinumkKMGTP ";
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(9); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      Throwable error =
          catchThrowable(
              () -> {
                Quantity quantity = Quantity.parse(text.toString());
                assertThat(Quantity.parse(quantity.toString())).isEqualTo(quantity);
              });
      if (error != null) {
        assertThat(error)
            .as("seed %d, %s", seed, text)
            .isExactlyInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
