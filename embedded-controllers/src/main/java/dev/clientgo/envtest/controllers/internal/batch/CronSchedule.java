package dev.clientgo.envtest.controllers.internal.batch;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schedule of five fields, such as {@code "30 4 * * mon-fri"}, or one of {@code @hourly}, {@code
 * @daily}, {@code @midnight}, {@code @weekly}, {@code @monthly}, {@code @yearly}, {@code @annually}
 * and {@code @every 90m}.
 *
 * <p>A field is a list of numbers, names, ranges and steps: {@code 1,10-20/2,*}{@code /15}. If both
 * the day of the month and the day of the week are restricted, a day that matches one of them
 * counts. A local time that does not exist, since clocks go forward, is skipped; one that comes
 * twice counts twice.
 *
 * <p>Immutable. Corresponds to the parts of {@code github.com/robfig/cron} that CronJobs use.
 */
final class CronSchedule {

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final Pattern PART =
      Pattern.compile("([*?]|[a-z0-9]+)(?:-([a-z0-9]+))?(?:/([0-9]{1,4}))?");
  private static final Pattern EVERY =
      Pattern.compile("@every (?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?");

  /** No schedule has a gap longer than that: from one 29th of February to the next. */
  private static final int YEARS = 9;

  private final Duration every;
  private final Field minutes;
  private final Field hours;
  private final Field daysOfMonth;
  private final Field months;
  private final Field daysOfWeek;
  private final ZoneId zone;

  /** The values of a field that match; {@code any} if it does not restrict anything. */
  private record Field(BitSet values, boolean any) {

    boolean matches(int value) {
      return values.get(value);
    }
  }

  private CronSchedule(Duration every, String[] fields, ZoneId zone) {
    this.every = every;
    this.zone = zone;
    minutes = field(fields[0], 0, 59, List.of());
    hours = field(fields[1], 0, 23, List.of());
    daysOfMonth = field(fields[2], 1, 31, List.of());
    months = field(fields[3], 1, 12, MONTHS);
    daysOfWeek = field(fields[4], 0, 6, DAYS);
  }

  /* --------------- Parsing --------------- */

  /**
   * Returns the schedule of a text, in the local time of a zone.
   *
   * @throws IllegalArgumentException if the text is no schedule; the message says why
   */
  static CronSchedule parse(String text, ZoneId zone) {
    String schedule = text.trim().toLowerCase(Locale.ROOT);
    Matcher interval = EVERY.matcher(schedule);
    if (interval.matches()) {
      Duration every =
          Duration.ofHours(number(interval.group(1)))
              .plusMinutes(number(interval.group(2)))
              .plusSeconds(number(interval.group(3)));
      if (!every.isZero()) {
        return new CronSchedule(every, "* * * * *".split(" ", -1), zone);
      }
    }
    String[] fields = expanded(schedule).split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "expected exactly 5 fields, found " + fields.length + ": \"" + text + '"');
    }
    return new CronSchedule(Duration.ZERO, fields, zone);
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static String expanded(String schedule) {
    return switch (schedule) {
      case "@yearly", "@annually" -> "0 0 1 1 *";
      case "@monthly" -> "0 0 1 * *";
      case "@weekly" -> "0 0 * * 0";
      case "@daily", "@midnight" -> "0 0 * * *";
      case "@hourly" -> "0 * * * *";
      default -> schedule;
    };
  }

  private static Field field(String text, int min, int max, List<String> names) {
    BitSet values = new BitSet();
    boolean any = false;
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("failed to parse \"" + part + "\" in \"" + text + '"');
      }
      boolean star = matcher.group(1).matches("[*?]");
      int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
      any |= star && step == 1;
      int first = star ? min : value(matcher.group(1), min, names);
      int last = star || matcher.group(3) != null ? max : first;
      if (matcher.group(2) != null) {
        last = value(matcher.group(2), min, names);
      }
      if (first < min || last > max || first > last || step == 0) {
        throw new IllegalArgumentException(
            "\"" + part + "\" is not within " + min + " to " + max + " in \"" + text + '"');
      }
      for (int value = first; value <= last; value += step) {
        values.set(value);
      }
    }
    return new Field(values, any);
  }

  private static int value(String text, int min, List<String> names) {
    int name = names.indexOf(text);
    if (name >= 0) {
      return name + min;
    }
    if (!text.matches("[0-9]{1,4}")) {
      throw new IllegalArgumentException("\"" + text + "\" is neither a number nor a name");
    }
    return Integer.parseInt(text);
  }

  /* --------------- Times --------------- */

  /** Returns the first time after another, empty if there is none, as for the 30th of February. */
  Optional<Instant> next(Instant after) {
    if (!every.isZero()) {
      return Optional.of(after.plus(every).truncatedTo(ChronoUnit.SECONDS));
    }
    ZonedDateTime time = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    int lastYear = time.getYear() + YEARS;
    while (time.getYear() <= lastYear) {
      if (!months.matches(time.getMonthValue())) {
        time = time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
      } else if (!isDay(time)) {
        time = time.toLocalDate().plusDays(1).atStartOfDay(zone);
      } else if (!hours.matches(time.getHour())) {
        time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else if (!minutes.matches(time.getMinute())) {
        time = time.plusMinutes(1);
      } else {
        return Optional.of(time.toInstant());
      }
    }
    return Optional.empty();
  }

  private boolean isDay(ZonedDateTime time) {
    boolean ofMonth = daysOfMonth.matches(time.getDayOfMonth());
    boolean ofWeek = daysOfWeek.matches(time.getDayOfWeek().getValue() % 7);
    return (daysOfMonth.any() || daysOfWeek.any()) ? (ofMonth && ofWeek) : (ofMonth || ofWeek);
  }
}
