package dev.clientgo.envtest.internal.tables;

import java.time.Duration;

/**
 * Durations for people: the longer, the less precise.
 *
 * <p>Corresponds to apimachinery's {@code duration.HumanDuration}.
 */
final class HumanDuration {

  private static final long YEAR = 365;

  private HumanDuration() {}

  /** Returns a duration in one or two units. */
  static String of(Duration age) {
    if (age.isNegative()) {
      return age.toSeconds() < -1 ? "<invalid>" : "0s";
    }
    if (age.compareTo(Duration.ofMinutes(2)) < 0) {
      return age.toSeconds() + "s";
    }
    if (age.compareTo(Duration.ofMinutes(10)) < 0) {
      return both(age.toMinutes(), "m", age.toSecondsPart(), "s");
    }
    if (age.compareTo(Duration.ofHours(3)) < 0) {
      return age.toMinutes() + "m";
    }
    if (age.compareTo(Duration.ofHours(8)) < 0) {
      return both(age.toHours(), "h", age.toMinutesPart(), "m");
    }
    if (age.compareTo(Duration.ofDays(2)) < 0) {
      return age.toHours() + "h";
    }
    return days(age);
  }

  private static String days(Duration age) {
    long days = age.toDays();
    if (days < 8) {
      return both(days, "d", age.toHoursPart(), "h");
    }
    if (days < 2 * YEAR) {
      return days + "d";
    }
    return days < 8 * YEAR ? both(days / YEAR, "y", days % YEAR, "d") : days / YEAR + "y";
  }

  private static String both(long large, String unit, long small, String smallUnit) {
    return small == 0 ? large + unit : large + unit + small + smallUnit;
  }
}
