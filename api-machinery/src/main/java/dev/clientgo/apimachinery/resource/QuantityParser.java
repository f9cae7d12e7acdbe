package dev.clientgo.apimachinery.resource;

import dev.clientgo.apimachinery.resource.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Parses the text of a quantity:
 *
 * <pre>
 * quantity ::= [ "+" | "-" ] number [ suffix ]
 * number   ::= digits [ "." [ digits ] ] | "." digits
 * suffix   ::= "n" | "u" | "m" | "k" | "M" | "G" | "T" | "P" | "E"
 *            | "Ki" | "Mi" | "Gi" | "Ti" | "Pi" | "Ei"
 *            | ( "e" | "E" ) [ "+" | "-" ] digits
 * </pre>
 */
final class QuantityParser {

  private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Far above any real exponent, but a number of so many digits can be computed quickly. */
  private static final int MAX_EXPONENT = 1000;

  private static final int MAX_LENGTH = 1000;

  /** The number of decimal digits that always fit into a long. */
  private static final int LONG_DIGITS = 18;

  private final String text;
  private final int end;
  private int position;

  private long digits;
  private int significantDigits;
  private int fractionDigits;

  private int decimalExponent;
  private int binaryExponent;
  private Format format = Format.DECIMAL_SI;

  private QuantityParser(String text) {
    this.text = text;
    this.end = text.length();
  }

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if it is not a quantity
   */
  static Quantity parse(String text) {
    return new QuantityParser(text).quantity();
  }

  private Quantity quantity() {
    if (end > MAX_LENGTH) {
      throw error("has more than " + MAX_LENGTH + " characters");
    }
    boolean negative = position < end && text.charAt(position) == '-';
    if (negative || (position < end && text.charAt(position) == '+')) {
      position++;
    }
    int start = position;
    readNumber();
    int numberEnd = position;
    readSuffix();
    BigDecimal amount = amount(start, numberEnd);
    if (format == Format.BINARY_SI) {
      amount = amount.min(MAX_BINARY);
      if (amount.signum() != 0 && amount.compareTo(BigDecimal.ONE) < 0) {
        format = Format.DECIMAL_SI; // Nothing below one can be written with a binary suffix.
      }
    }
    return new Quantity(negative ? amount.negate() : amount, format, text, isCanonical());
  }

  private void readNumber() {
    int start = position;
    readDigits();
    int count = position - start;
    if (position < end && text.charAt(position) == '.') {
      position++;
      int fraction = position;
      readDigits();
      fractionDigits = position - fraction;
    }
    // Unlike client-go, which reads a text without digits, such as "-" or "Ki", as zero.
    if (count + fractionDigits == 0) {
      throw error("does not begin with a number");
    }
  }

  private void readDigits() {
    for (; position < end && isDigit(text.charAt(position)); position++) {
      int digit = text.charAt(position) - '0';
      if (significantDigits > 0 || digit != 0) {
        significantDigits++;
        digits =
            digits * 10 + digit; // Overflows if there are too many digits; then it is not used.
      }
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void readSuffix() {
    if (position == end) {
      return;
    }
    String suffix = text.substring(position);
    switch (suffix) {
      case "n" -> decimalExponent = Quantity.NANO;
      case "u" -> decimalExponent = Quantity.MICRO;
      case "m" -> decimalExponent = Quantity.MILLI;
      case "k" -> decimalExponent = Quantity.KILO;
      case "M" -> decimalExponent = Quantity.MEGA;
      case "G" -> decimalExponent = Quantity.GIGA;
      case "T" -> decimalExponent = Quantity.TERA;
      case "P" -> decimalExponent = Quantity.PETA;
      case "E" -> decimalExponent = Quantity.EXA;
      case "Ki" -> binary(10);
      case "Mi" -> binary(20);
      case "Gi" -> binary(30);
      case "Ti" -> binary(40);
      case "Pi" -> binary(50);
      case "Ei" -> binary(60);
      default -> readExponent();
    }
  }

  private void binary(int exponent) {
    binaryExponent = exponent;
    format = Format.BINARY_SI;
  }

  private void readExponent() {
    int start = position;
    char e = text.charAt(position++);
    boolean negative = position < end && text.charAt(position) == '-';
    if (negative || (position < end && text.charAt(position) == '+')) {
      position++;
    }
    boolean empty = position == end;
    int exponent = 0;
    for (; position < end && isDigit(text.charAt(position)); position++) {
      exponent = Math.min(exponent * 10 + (text.charAt(position) - '0'), MAX_EXPONENT + 1);
    }
    if ((e != 'e' && e != 'E') || empty || position < end) {
      throw error("has the unknown suffix \"" + text.substring(start) + "\"");
    }
    if (exponent > MAX_EXPONENT) {
      throw error("has an exponent beyond " + MAX_EXPONENT);
    }
    decimalExponent = negative ? -exponent : exponent;
    format = Format.DECIMAL_EXPONENT;
  }

  private BigDecimal amount(int start, int numberEnd) {
    int scale = fractionDigits - decimalExponent;
    BigDecimal amount =
        significantDigits <= LONG_DIGITS
            ? BigDecimal.valueOf(digits, scale)
            : new BigDecimal(
                new BigInteger(text.substring(start, numberEnd).replace(".", "")), scale);
    return binaryExponent == 0
        ? amount
        : amount.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(binaryExponent)));
  }

  /**
   * Returns whether upstream prints this text unchanged. Upstream checks only what is cheap to
   * check, so it also prints {@code 1.234} and {@code +1} unchanged.
   */
  private boolean isCanonical() {
    int scale = decimalExponent - fractionDigits;
    return switch (format) {
      case BINARY_SI ->
          fractionDigits == 0
              && significantDigits + binaryExponent * 3 / 10 < 15
              && (digits & 7) != 0;
      case DECIMAL_SI, DECIMAL_EXPONENT ->
          binaryExponent == 0
              && beginsWithSignificantDigit()
              && significantDigits <= LONG_DIGITS
              && scale >= Quantity.NANO
              && scale % 3 == 0
              && digits % 1000 != 0;
    };
  }

  /** Returns whether the number before the dot is not zero, as canonical texts require. */
  private boolean beginsWithSignificantDigit() {
    return significantDigits > fractionDigits;
  }

  private IllegalArgumentException error(String problem) {
    String shown = end <= 64 ? text : text.substring(0, 64) + "…";
    return new IllegalArgumentException(
        "expected a quantity such as 500m, 2 or 1.5Gi, but \"" + shown + "\" " + problem);
  }
}
