package dev.clientgo.apimachinery.meta;

/** Formats durations as Go does. The longest is {@code -2562047h47m16.854775808s}. */
final class GoDurationFormat {

  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private GoDurationFormat() {}

  static String format(long nanos) {
    if (nanos == 0) {
      return "0s";
    }
    // As an unsigned number, the magnitude of Long.MIN_VALUE is right, too.
    long magnitude = Math.abs(nanos);
    StringBuilder text = new StringBuilder(nanos < 0 ? "-" : "");
    if (Long.compareUnsigned(magnitude, SECOND) < 0) {
      appendSmall(text, magnitude);
    } else {
      appendLarge(text, magnitude);
    }
    return text.toString();
  }

  /** Appends less than a second, in the largest unit in which the value is at least 1. */
  private static void appendSmall(StringBuilder text, long magnitude) {
    if (magnitude < MICRO) {
      text.append(magnitude).append("ns");
    } else if (magnitude < MILLI) {
      appendDecimal(text, magnitude, MICRO).append("µs");
    } else {
      appendDecimal(text, magnitude, MILLI).append("ms");
    }
  }

  private static void appendLarge(StringBuilder text, long magnitude) {
    long minutes = Long.divideUnsigned(magnitude, 60 * SECOND);
    long rest = Long.remainderUnsigned(magnitude, 60 * SECOND);
    if (minutes >= 60) {
      text.append(minutes / 60).append('h');
    }
    if (minutes > 0) {
      text.append(minutes % 60).append('m');
    }
    appendDecimal(text, rest, SECOND).append('s');
  }

  /** Appends a value divided by a power of ten, without trailing zeros. */
  private static StringBuilder appendDecimal(StringBuilder text, long value, long unit) {
    text.append(value / unit);
    long fraction = value % unit;
    if (fraction > 0) {
      // The leading 1 keeps the zeros behind the point.
      String digits = Long.toString(unit + fraction).substring(1);
      text.append('.').append(digits.replaceFirst("0+$", ""));
    }
    return text;
  }
}
