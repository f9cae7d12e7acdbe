package dev.clientgo.cache;

import java.util.Random;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/** Runs a test with random seeds, and says with which seed it failed. */
public final class Seeds {

  private Seeds() {}

  /**
   * Runs the test with that many seeds. With {@code -Dclientgo.seed=…}, runs it with that seed
   * alone.
   */
  public static void forEachOf(int count, LongConsumer test) {
    Long fixed = Long.getLong("clientgo.seed");
    if (fixed != null) {
      test.accept(fixed);
      return;
    }
    RandomGenerator seeds = new Random();
    for (int i = 0; i < count; i++) {
      long seed = seeds.nextLong();
      try {
        test.accept(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("failed; repeat it with -Dclientgo.seed=" + seed, e);
      }
    }
  }
}
