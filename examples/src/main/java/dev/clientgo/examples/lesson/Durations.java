package dev.clientgo.examples.lesson;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** Parses durations on the command line. */
public final class Durations {

  private Durations() {}

  /** Parses {@code 10s}, {@code 2m} or {@code 1m30s}. */
  public static Duration parse(String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("'" + text + "' is not a duration such as 10s or 1m30s");
    }
  }
}
