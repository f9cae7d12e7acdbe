package dev.clientgo.apimachinery.yaml;

import java.math.BigDecimal;
import java.math.MathContext;

/** Writes numbers as Go does. */
final class GoNumbers {

  /** From here on, Go writes whole numbers with an exponent: they no longer fit 64 bits. */
  private static final double MAX_WHOLE = 0x1p64;

  private static final double MIN_WHOLE = -0x1p63;

  /** The digits that tell any two doubles apart. */
  private static final int MAX_DIGITS = 17;

  private static final int MIN_EXPONENT = -4;
  private static final int MAX_EXPONENT = 5;

  /** Numbers between these have no exponent in JSON. */
  private static final double MIN_JSON = 1e-6;

  private static final double MAX_JSON = 1e21;

  private GoNumbers() {}

  /** Writes whole numbers as digits, others in the format {@code %g}. */
  static String format(Number number) {
    if (number instanceof Double || number instanceof Float) {
      return format(number.doubleValue());
    }
    return number.toString();
  }

  /** Writes a number as {@code encoding/json} does. */
  static String formatJson(Number number) {
    double value = number.doubleValue();
    if (!(number instanceof Double || number instanceof Float) || value == 0) {
      return format(number);
    }
    double size = Math.abs(value);
    return size >= MIN_JSON && size < MAX_JSON
        ? shortest(value).toPlainString()
        : format(value).replace("e-0", "e-");
  }

  private static String format(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no number " + value);
    } else if (value == 0) {
      return "0";
    }
    BigDecimal digits = shortest(value);
    if (value == Math.rint(value) && value < MAX_WHOLE && value >= MIN_WHOLE) {
      return digits.toPlainString();
    }
    int exponent = digits.precision() - digits.scale() - 1;
    if (exponent >= MIN_EXPONENT && exponent <= MAX_EXPONENT) {
      return digits.toPlainString();
    }
    String unscaled = digits.unscaledValue().abs().toString();
    String fraction = unscaled.length() == 1 ? "" : "." + unscaled.substring(1);
    String sign = value < 0 ? "-" : "";
    String power = (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "");
    return sign + unscaled.charAt(0) + fraction + "e" + power + Math.abs(exponent);
  }

  /** Returns the fewest digits that are read back as the same double. */
  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      BigDecimal rounded = exact.round(new MathContext(digits));
      if (rounded.doubleValue() == value) {
        return rounded.stripTrailingZeros();
      }
    }
    return exact.round(new MathContext(MAX_DIGITS)).stripTrailingZeros();
  }
}
