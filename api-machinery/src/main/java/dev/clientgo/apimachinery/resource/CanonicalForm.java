package dev.clientgo.apimachinery.resource;

import dev.clientgo.apimachinery.resource.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Formats amounts without a fraction and with the largest suffix that keeps the exact value. */
final class CanonicalForm {

  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final BigDecimal DECIMAL_KIBI = new BigDecimal(KIBI);
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final String[] DECIMAL = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};

  private CanonicalForm() {}

  static String of(BigDecimal amount, Format format) {
    if (amount.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = amount.stripTrailingZeros();
    return switch (format) {
      case DECIMAL_SI -> decimal(stripped);
      case DECIMAL_EXPONENT -> exponent(stripped);
      // A binary suffix would lose a fraction; below 1024 there is no suffix.
      case BINARY_SI ->
          stripped.scale() > 0 || stripped.abs().compareTo(DECIMAL_KIBI) < 0
              ? decimal(stripped)
              : binary(stripped.toBigInteger());
    };
  }

  private static String decimal(BigDecimal stripped) {
    // Unlike client-go, which has no suffix beyond exa and then writes the mantissa alone.
    int exponent = Math.min(multipleOfThree(stripped), Quantity.EXA);
    return mantissa(stripped, exponent) + DECIMAL[(exponent - Quantity.NANO) / 3];
  }

  private static String exponent(BigDecimal stripped) {
    int exponent = multipleOfThree(stripped);
    return mantissa(stripped, exponent) + (exponent == 0 ? "" : "e" + exponent);
  }

  private static int multipleOfThree(BigDecimal stripped) {
    return Math.floorDiv(-stripped.scale(), 3) * 3;
  }

  private static String mantissa(BigDecimal stripped, int exponent) {
    return stripped.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
  }

  private static String binary(BigInteger value) {
    BigInteger mantissa = value;
    int suffix = 0;
    while (suffix < BINARY.length - 1) {
      BigInteger[] parts = mantissa.divideAndRemainder(KIBI);
      if (parts[1].signum() != 0) {
        break;
      }
      mantissa = parts[0];
      suffix++;
    }
    return mantissa + BINARY[suffix];
  }
}
