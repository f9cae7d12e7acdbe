package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations in nanoseconds that stop at the largest {@code long} instead of wrapping around. */
final class Nanos {

  /** Longer than any process runs: 292 years. */
  static final long FOREVER = Long.MAX_VALUE;

  private Nanos() {}

  static long of(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /** Checks that a caller's argument is not negative and returns it in nanoseconds. */
  static long notNegative(Duration duration, String name) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative: " + duration);
    }
    return of(duration);
  }

  /** Returns the sum of two times or durations that are not negative. */
  static long add(long a, long b) {
    long sum = a + b;
    return sum < 0 ? FOREVER : sum;
  }

  static double toSeconds(long nanos) {
    return nanos / 1e9;
  }
}
