package dev.clientgo.apimachinery.json;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** JSON numbers as Java values, without loss. */
final class Numbers {

  /** A decimal of so many digits is always the shortest form of the double next to it. */
  private static final int DOUBLE_DIGITS = 15;

  private Numbers() {}

  /**
   * Returns the value of a number's text: a {@link Long} if it is written as an integer and fits,
   * else a {@link Double} if the shortest decimal form of that is equal, else a {@link BigDecimal}.
   *
   * @return null if the exponent is beyond what a BigDecimal can have
   */
  static @Nullable Number parse(String text) {
    if (isInteger(text)) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        // Too large; one of the others will do.
      }
    }
    double nearest = Double.parseDouble(text);
    if (text.length() <= DOUBLE_DIGITS && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return nearest;
    }
    try {
      BigDecimal exact = new BigDecimal(text);
      boolean equal =
          Double.isFinite(nearest)
              && exact.compareTo(new BigDecimal(Double.toString(nearest))) == 0;
      return equal ? nearest : exact;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isInteger(String text) {
    for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
