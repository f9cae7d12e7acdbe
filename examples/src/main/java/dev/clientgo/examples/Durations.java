package dev.clientgo.examples;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** Durations as people type them. */
final class Durations {

  private Durations() {}

  /** Parses {@code 10s}, {@code 2m} or {@code 1m30s}. */
  static Duration parse(String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("'" + text + "' is not a duration such as 10s or 1m30s");
    }
  }
}
