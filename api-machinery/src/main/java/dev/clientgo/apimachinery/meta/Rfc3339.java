package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.internal.utf8.TimeText;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Parses the times of the API, which have the form of RFC 3339.
 *
 * <p>Nearly all times look like {@code 2026-01-31T12:00:00Z}; {@link #canonicalSeconds} reads those
 * digit by digit. Other forms take a parser as lenient as Go's: it accepts a fraction of any length
 * after a dot or a comma, an hour of one digit, and any offset up to 24 hours.
 */
final class Rfc3339 {

  /** The result of {@link #canonicalSeconds} for a text of another form. */
  static final long NOT_CANONICAL = Long.MIN_VALUE;

  /** The length of {@code 2026-01-31T12:00:00}. */
  static final int SECONDS_LENGTH = TimeText.SECONDS_LENGTH;

  private final String text;
  private int position;
  private long seconds;
  private int nanos;
  private int fractionDigits;

  private Rfc3339(String text) {
    this.text = text;
  }

  /**
   * Returns the second that the first {@value #SECONDS_LENGTH} characters name, read as UTC, or
   * {@link #NOT_CANONICAL} if they are not of the form {@code 2026-01-31T12:00:00}.
   */
  static long canonicalSeconds(String text) {
    if (text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || text.charAt(10) != 'T'
        || text.charAt(13) != ':'
        || text.charAt(16) != ':') {
      return NOT_CANONICAL;
    }
    int year = number(text, 0, 4);
    int month = number(text, 5, 2);
    int day = number(text, 8, 2);
    int hour = number(text, 11, 2);
    int minute = number(text, 14, 2);
    int second = number(text, 17, 2);
    // Any part that is no number is -1, and so is the or of all.
    return (year | month | day | hour | minute | second) < 0
        ? NOT_CANONICAL
        : epochSecond(year, month, day, hour, minute, second);
  }

  /** Returns the number of these digits, or -1 if one of them is not a digit. */
  static int number(String text, int from, int length) {
    int number = 0;
    for (int i = from; i < from + length; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static long epochSecond(int year, int month, int day, int hour, int minute, int second) {
    if (hour > 23 || minute > 59 || second > 59) {
      return NOT_CANONICAL;
    }
    try {
      long days = LocalDate.of(year, month, day).toEpochDay();
      return ((days * 24 + hour) * 60 + minute) * 60 + second;
    } catch (DateTimeException e) {
      return NOT_CANONICAL;
    }
  }

  /** Parses any text that RFC 3339 allows; returns null for any other. */
  static @Nullable Rfc3339 parse(String text) {
    Rfc3339 parser = new Rfc3339(text);
    return parser.readDateAndTime() && parser.readFraction() && parser.readOffset() ? parser : null;
  }

  private boolean readDateAndTime() {
    int year = digits(4);
    boolean shape = is('-');
    int month = digits(2);
    shape &= is('-');
    int day = digits(2);
    shape &= is('T') || is('t');
    int hour = position + 1 < text.length() && text.charAt(position + 1) == ':' ? 1 : 2;
    hour = digits(hour);
    shape &= is(':');
    int minute = digits(2);
    shape &= is(':');
    int second = digits(2);
    if (!shape || (year | month | day | hour | minute | second) < 0) {
      return false;
    }
    seconds = epochSecond(year, month, day, hour, minute, second);
    return seconds != NOT_CANONICAL;
  }

  private boolean readFraction() {
    if (!is('.') && !is(',')) {
      return true;
    }
    int scale = 100_000_000;
    for (int digit; (digit = digits(1)) >= 0; fractionDigits++) {
      nanos += digit * scale; // Digits behind the ninth have a scale of 0.
      scale /= 10;
    }
    return fractionDigits > 0;
  }

  private boolean readOffset() {
    if (is('Z') || is('z')) {
      return position == text.length();
    }
    int sign = is('+') ? 1 : is('-') ? -1 : 0;
    int hours = digits(2);
    boolean colon = is(':');
    int minutes = digits(2);
    if (sign == 0 || !colon || (hours | minutes) < 0 || hours > 24 || minutes > 60) {
      return false;
    }
    seconds -= sign * (hours * 60L + minutes) * 60;
    return position == text.length();
  }

  /** Consumes digits and returns their number, or returns -1. */
  private int digits(int length) {
    if (position + length > text.length()) {
      return -1;
    }
    int number = number(text, position, length);
    if (number >= 0) {
      position += length;
    }
    return number;
  }

  /** Consumes a character if it is the given one. */
  private boolean is(char c) {
    if (position < text.length() && text.charAt(position) == c) {
      position++;
      return true;
    }
    return false;
  }

  /** Returns the seconds since 1970 in UTC. */
  long seconds() {
    return seconds;
  }

  /** Returns the nanoseconds within the second. */
  int nanos() {
    return nanos;
  }

  /** Returns the number of digits of the fraction. */
  int fractionDigits() {
    return fractionDigits;
  }

  /** Returns the second, or throws if its year does not have four digits. */
  static long requireWritable(long seconds) {
    if (!TimeText.isWritable(seconds)) {
      throw new IllegalArgumentException(
          "a time of the API lies in the years 0000 to 9999, but second " + seconds + " does not");
    }
    return seconds;
  }

  /** Returns the error for a text that is not a time. */
  static IllegalArgumentException notATime(String text, String example) {
    String shown = text.length() <= 64 ? text : text.substring(0, 64) + "…";
    return new IllegalArgumentException(
        "expected a time such as " + example + ", found \"" + shown + "\"");
  }
}
