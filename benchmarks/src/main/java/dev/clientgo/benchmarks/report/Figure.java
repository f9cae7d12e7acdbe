package dev.clientgo.benchmarks.report;

import java.util.Locale;

/**
 * One number.
 *
 * @param benchmark what was run
 * @param name what the number is, with its unit
 */
record Figure(String benchmark, String name, double value) {

  /** Returns the number with as many digits as mean something. */
  String text() {
    return value >= 100 || value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
