package dev.clientgo.apimachinery.meta;

/**
 * Parses durations as Go does, with the same rounding and error messages.
 *
 * <p>The sum is unsigned: a negative duration may reach 2<sup>63</sup>, one more than a positive
 * one.
 */
final class GoDurationParser {

  /** 2<sup>63</sup>, unsigned. */
  private static final long LIMIT = Long.MIN_VALUE;

  private final String text;
  private int position;

  GoDurationParser(String text) {
    this.text = text;
  }

  /** Returns the nanoseconds. */
  long parse() {
    boolean negative = text.startsWith("-");
    position = negative || text.startsWith("+") ? 1 : 0;
    if (text.substring(position).equals("0")) {
      return 0;
    } else if (position == text.length()) {
      throw invalid();
    }
    long sum = 0;
    while (position < text.length()) {
      sum = checked(sum + nextTerm());
    }
    if (negative) {
      return -sum;
    } else if (sum == LIMIT) {
      throw invalid();
    }
    return sum;
  }

  /** Reads a number and its unit. */
  private long nextTerm() {
    int start = position;
    long whole = nextWhole();
    boolean hasDigits = position > start;
    int fraction = position;
    if (position < text.length() && text.charAt(position) == '.') {
      fraction = ++position;
      position = endOfDigits(position);
      hasDigits |= position > fraction;
    }
    int end = position;
    if (!hasDigits) {
      throw invalid();
    }
    long unit = nextUnit();
    if (Long.compareUnsigned(whole, Long.divideUnsigned(LIMIT, unit)) > 0) {
      throw invalid();
    }
    return checked(whole * unit + fraction(fraction, end, unit));
  }

  /** Returns a fraction in nanoseconds, computed in a double as in Go. */
  private long fraction(int from, int end, long unit) {
    long value = 0;
    double scale = 1;
    for (int at = from; at < end && value <= Long.MAX_VALUE / 10; at++) {
      long next = value * 10 + digit(at);
      if (next < 0) {
        // Digits that do not fit into a long are below the precision.
        break;
      }
      value = next;
      scale *= 10;
    }
    return (long) (value * (unit / scale));
  }

  private long nextWhole() {
    long value = 0;
    int end = endOfDigits(position);
    for (; position < end; position++) {
      if (Long.compareUnsigned(value, Long.divideUnsigned(LIMIT, 10)) > 0) {
        throw invalid();
      }
      value = checked(value * 10 + digit(position));
    }
    return value;
  }

  private long nextUnit() {
    int start = position;
    while (position < text.length() && !isDigitOrPoint(text.charAt(position))) {
      position++;
    }
    String unit = text.substring(start, position);
    return switch (unit) {
      case "ns" -> 1;
      case "us", "\u00b5s", "\u03bcs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      case "" -> throw error("missing unit in duration");
      default -> throw error("unknown unit \"" + unit + "\" in duration");
    };
  }

  private int endOfDigits(int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private int digit(int at) {
    return text.charAt(at) - '0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isDigitOrPoint(char c) {
    return c == '.' || isDigit(c);
  }

  private long checked(long unsigned) {
    if (Long.compareUnsigned(unsigned, LIMIT) > 0) {
      throw invalid();
    }
    return unsigned;
  }

  private IllegalArgumentException invalid() {
    return error("invalid duration");
  }

  private IllegalArgumentException error(String problem) {
    return new IllegalArgumentException("time: " + problem + " \"" + text + "\"");
  }
}
