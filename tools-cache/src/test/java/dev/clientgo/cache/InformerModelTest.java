package dev.clientgo.cache;

import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of a server and an informer: see {@link Simulation}. Other histories than those
 * of every day are run with {@code -Dinformer.seed=N}, and with {@code -Dinformer.histories=N} more
 * or, to repeat a failure, one.
 */
@Timeout(value = 1, unit = TimeUnit.DAYS) // It is asked to run as many as one likes.
final class InformerModelTest {

  private static final long FIRST_SEED = Long.getLong("informer.seed", 1);
  private static final int HISTORIES = Integer.getInteger("informer.histories", 1500);

  private static final Logger LOG = Logger.getLogger("dev.clientgo.cache");

  private Level usualLevel;

  /** The simulation causes thousands of failures on purpose. */
  @BeforeEach
  void silenceLog() {
    usualLevel = LOG.getLevel();
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void restoreLog() {
    LOG.setLevel(usualLevel);
  }

  @Test
  void everyHistory_endsWithCacheAndHandlersInTheStateOfTheServer() throws InterruptedException {
    System.out.printf("histories: %d from seed %d%n", HISTORIES, FIRST_SEED);
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      Simulation simulation = new Simulation(seed);
      try {
        simulation.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "repeat with -Dinformer.histories=1 -Dinformer.seed=" + seed + ": " + e.getMessage(),
            e);
      }
    }
  }
}
