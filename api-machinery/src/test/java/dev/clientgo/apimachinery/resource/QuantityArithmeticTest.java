package dev.clientgo.apimachinery.resource;

import static dev.clientgo.apimachinery.resource.Quantity.Format.BINARY_SI;
import static dev.clientgo.apimachinery.resource.Quantity.Format.DECIMAL_SI;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums, comparisons, rounding and conversions of quantities. */
final class QuantityArithmeticTest extends QuantityFixture {

  /** Upstream: TestQuantityRoundUp. */
  @ParameterizedTest
  @CsvSource({
    "9.01, -3, 9.01",
    "9.01, -2, 9.01",
    "9.01, -1, 9.1",
    "9.01, 0, 10",
    "9.01, 1, 10",
    "9.01, 2, 100",
    "0, 5, 0",
    "100, 2, 100"
  })
  void roundUp_toAScale_goesAwayFromZero(String text, int scale, String expected) {
    assertThat(Quantity.parse(text).roundUp(scale)).isEqualTo(Quantity.parse(expected));
    assertThat(Quantity.parse("-" + text).roundUp(scale)).isEqualTo(Quantity.parse("-" + expected));
  }

  /** Upstream: TestQuantityCmp, TestQuantityCmpInt64AndDec. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "100m, 50m, 1",
    "10000T, 100Gi, 1",
    "0, 10, -1",
    "0, -10, 1",
    "9.01, 9.01, 0",
    "9.0, 9.01, -1",
    "9.01, 9.00, 1",
    "0.800, 1, -1",
    "0.800, 0.79, 1",
    "9223372036854775807, 0.1, 1",
    "9223372036854775807e1, 1, 1",
    "9223372036854775807e1, 0, 1",
    "922.3372036854775807, 1000, -1",
    "-9223372036854775808, 0, -1",
    "-9.223372036854775808, -1, -1",
    "-0.9223372036854775808, -1, 1",
    "1000000000000000000e-17, 10, 0",
    "1000000000000000000e-17, -10, 1",
    "10.0000000001, 10, 1",
    "1Ki, 1024, 0",
    "1Ki, 1k, 1"
  })
  void compareTo_numbers_whateverTheFormat(String first, String second, int expected) {
    Quantity a = Quantity.parse(first);
    Quantity b = Quantity.parse(second);

    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(expected);
    assertThat(Integer.signum(b.compareTo(a))).isEqualTo(-expected);
    assertThat(a.equals(b)).isEqualTo(expected == 0);
    if (expected == 0) {
      assertThat(a).hasSameHashCodeAs(b);
    }
  }

  @Test
  void equals_sameNumber_whateverTheText() {
    assertThat(Quantity.parse("1000m"))
        .isEqualTo(Quantity.parse("1"))
        .hasSameHashCodeAs(Quantity.parse("1"));
    assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1073741824"));
    assertThat(Quantity.parse("0Ki")).isEqualTo(Quantity.ZERO).hasSameHashCodeAs(Quantity.ZERO);
    assertThat(Quantity.parse("1")).isNotEqualTo(Quantity.parse("1n")).isNotEqualTo("1");
  }

  /** Upstream: TestAdd, TestSub. */
  @ParameterizedTest
  @CsvSource({
    "10, 1e1, 20, 0",
    "10, 1, 11, 9",
    "10, 1Ki, 1034, -1014",
    "0, 50, 50, -50",
    "50, 0, 50, 50",
    "0, 0, 0, 0",
    "9223372036854775807, 1, 9223372036854775808, 9223372036854775806",
    "-9223372036854775808, 1, -9223372036854775807, -9223372036854775809",
    "1Gi, 512Mi, 1536Mi, 512Mi",
    "1m, 1n, 1000001n, 999999n"
  })
  void plusAndMinus_areExact(String first, String second, String sum, String difference) {
    Quantity a = Quantity.parse(first);
    Quantity b = Quantity.parse(second);

    assertThat(a.plus(b)).isEqualTo(Quantity.parse(sum));
    assertThat(a.minus(b)).isEqualTo(Quantity.parse(difference));
    assertThat(a).hasToString(Quantity.parse(first).toString());
  }

  /** Upstream: TestQuantityAddZeroPreservesSuffix, TestQuantitySubZeroPreservesSuffix. */
  @ParameterizedTest
  @ValueSource(strings = {"100m", "1Gi"})
  void plusAndMinus_zero_keepTheFormat(String text) {
    Quantity value = Quantity.parse(text);

    assertThat(value.plus(Quantity.ZERO)).hasToString(text);
    assertThat(Quantity.ZERO.plus(value)).hasToString(text);
    assertThat(value.minus(Quantity.ZERO)).hasToString(text);
    assertThat(Quantity.ZERO.minus(value)).hasToString("-" + text);
    assertThat(value.minus(value)).hasToString("0");
  }

  /** Upstream: TestMul. */
  @Test
  void times_isExact() {
    long most = Long.MAX_VALUE;

    assertThat(Quantity.of(10).times(10)).isEqualTo(Quantity.of(100));
    assertThat(Quantity.of(10, BINARY_SI).times(-1)).isEqualTo(Quantity.of(-10));
    assertThat(Quantity.of(-50).times(-50)).isEqualTo(Quantity.of(2500));
    assertThat(Quantity.of(most).times(0)).isEqualTo(Quantity.ZERO);
    assertThat(Quantity.of(most).times(10)).isEqualTo(decimal(most, 1, DECIMAL_SI));
    assertThat(Quantity.of(Long.MIN_VALUE).times(-1).toBigDecimal())
        .isEqualByComparingTo(new BigDecimal(BigInteger.TWO.pow(63)));
    assertThat(Quantity.of(Long.MIN_VALUE).times(-10)).hasToString("92233720368547758080");
  }

  /** Upstream: TestNeg, TestQuantityNeg. */
  @Test
  void negate_twice_isTheSame() {
    assertThat(Quantity.parse("9.01").negate()).hasToString("-9010m");
    assertThat(Quantity.parse("-1Gi").negate()).hasToString("1Gi");
    assertThat(Quantity.ZERO.negate()).isEqualTo(Quantity.ZERO);
    assertThat(Quantity.parse("-3").signum()).isEqualTo(-1);
    assertThat(Quantity.parse("3n").signum()).isOne();
    assertThat(Quantity.parse("-0").isZero()).isTrue();
  }

  /** Upstream: TestScaledValue, TestNewScaledSet. */
  @Test
  void scaledValue_ofOneInEachScale() {
    int[] scales = {Quantity.NANO, Quantity.MICRO, Quantity.MILLI, 0};
    for (int from : scales) {
      for (int to : scales) {
        long expected = from <= to ? 1 : BigInteger.TEN.pow(from - to).longValue();
        assertThat(Quantity.ofScaled(1, from).scaledValue(to))
            .as("%d to %d", from, to)
            .isEqualTo(expected);
      }
    }
    assertThat(Quantity.ofScaled(1, 2).scaledValue(-2)).isEqualTo(10_000);
    assertThat(Quantity.ofScaled(1000, Quantity.NANO)).hasToString("1u");
    assertThat(Quantity.ofScaled(1000, Quantity.MILLI)).hasToString("1");
    assertThat(Quantity.ofScaled(0, Quantity.MICRO)).hasToString("0");
  }

  /** Upstream: TestScaledValueInternal, TestInt64AmountAsScaledInt64. */
  @ParameterizedTest
  @CsvSource({
    "1000, 0, 1000",
    "1000, 3, 1",
    "999, 3, 1",
    "500, 3, 1",
    "499, 3, 1",
    "1, 3, 1",
    "0, 3, 0",
    "9223372036854775806, 1, 922337203685477581",
    "1e100, 100, 1",
    "1, -3, 1000",
    "9.3, 0, 10",
    "-193200, 4, -20",
    "-190000, 4, -19",
    "-9.01, 0, -10",
    "1E, 0, 1000000000000000000",
    "9223372036854775807, 0, 9223372036854775807",
    "1n, 18, 1"
  })
  void scaledValue_isRoundedAwayFromZero(String text, int scale, long expected) {
    assertThat(Quantity.parse(text).scaledValue(scale)).isEqualTo(expected);
  }

  @Test
  void scaledValue_beyond64Bits_isTheEndOfTheRange() {
    assertThat(Quantity.parse("10E").value()).isEqualTo(Long.MAX_VALUE);
    assertThat(Quantity.parse("-10E").value()).isEqualTo(Long.MIN_VALUE);
    assertThat(Quantity.parse("1E").milliValue()).isEqualTo(Long.MAX_VALUE);
    assertThat(Quantity.parse("9223372036854775807.1").value()).isEqualTo(Long.MAX_VALUE);
    assertThat(Quantity.parse("1.5").milliValue()).isEqualTo(1500);
    assertThat(Quantity.parse("0.1m").milliValue()).isEqualTo(1);
  }

  /** Upstream: TestQuantityAsFloat64Slow, TestStringQuantityAsFloat64Slow. */
  @Test
  void toApproximateDouble_isTheNearest() {
    assertThat(Quantity.ZERO.toApproximateDouble()).isZero();
    assertThat(Quantity.parse("2Ki").toApproximateDouble()).isEqualTo(2048);
    assertThat(Quantity.parse("1.1Ki").toApproximateDouble()).isEqualTo(1126.4);
    assertThat(decimal(7 << 20, -1, BINARY_SI).toApproximateDouble()).isEqualTo((7 << 20) / 10.0);
    assertThat(decimal(7 << 20, -8, BINARY_SI).toApproximateDouble()).isEqualTo((7 << 20) / 1e8);
    assertThat(decimal(7 << 20, 8, BINARY_SI).toApproximateDouble()).isEqualTo((7 << 20) * 1e8);
    assertThat(Quantity.of(Long.MAX_VALUE).toApproximateDouble()).isEqualTo(0x1p63);
    assertThat(Quantity.parse("12E").toApproximateDouble()).isEqualTo(1.2e19);
    assertThat(decimal(12, 500, DECIMAL_SI).toApproximateDouble()).isInfinite().isPositive();
    assertThat(decimal(-12, 500, DECIMAL_SI).toApproximateDouble()).isInfinite().isNegative();
  }

  /** Upstream: TestAddSubRoundTrip, TestAddSubRoundTripAcrossScales, TestNegateRoundTrip. */
  @Test
  void plus_thenMinus_cancelsOut() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    Quantity sum = Quantity.ZERO;
    List<Quantity> added = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Quantity quantity = Quantity.ofScaled(random.nextLong(), random.nextInt(21) - 10);
      added.add(quantity);
      sum = sum.plus(quantity);
      assertThat(quantity.negate().negate()).isEqualTo(quantity);
    }
    for (Quantity quantity : added) {
      sum = sum.minus(quantity);
    }
    assertThat(sum.isZero()).as("seed %d", seed).isTrue();
  }
}
