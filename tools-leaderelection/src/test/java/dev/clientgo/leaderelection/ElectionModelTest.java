package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.ElectionSimulation.Rules;
import dev.clientgo.leaderelection.SimulatedWorld.Weather;
import dev.clientgo.leaderelection.internal.Observation;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Thousands of elections in a world where processes pause, crash and are cut off, clocks drift and
 * jump, answers are lost, and the server restarts: no two terms can write at the same time.
 */
final class ElectionModelTest {

  private static final int SCHEDULES = 2000;
  private static final int SECONDS = 120;

  /** No request is ever sent; terms need a client to wrap. */
  private static final RESTClient CLIENT =
      RESTClient.create(RestConfig.builder("http://127.0.0.1:1").build());

  private static final Rules OURS =
      (settings, clock, random, listener) ->
          new Election(settings, CLIENT, clock, random, listener);

  private final long firstSeed = new Random().nextLong() >>> 1;

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  @Test
  void terms_inAnySchedule_neverOverlap() {
    long terms = 0;
    for (long seed = firstSeed; seed < firstSeed + SCHEDULES; seed++) {
      terms += terms(seed, OURS);
    }

    // The schedules are of use: leaders change all the time.
    assertThat(terms).isGreaterThan(2L * SCHEDULES);
  }

  private static long terms(long seed, Rules rules) {
    try {
      return terms(new ElectionSimulation(seed, Weather.STORM, rules), seed);
    } catch (AssertionError e) {
      try {
        terms(new ElectionSimulation(seed, Weather.STORM, rules).traced(), seed);
      } catch (AssertionError again) {
        throw new AssertionError("seed " + seed + ": " + again.getMessage(), e);
      }
      throw new AssertionError("seed " + seed + " fails, but not when it is traced", e);
    }
  }

  private static long terms(ElectionSimulation world, long seed) {
    world.run(SECONDS);
    if (seed % 4 == 0) {
      world.calmDown();
      world.awaitLeader(Duration.ofSeconds(90));
    }
    return world.begun();
  }

  /** Everything works, and the leader is killed: the next waits for the lease and two pauses. */
  @Test
  void failover_afterACrash_takesTheLeaseAndTwoPauses() {
    for (long seed = firstSeed; seed < firstSeed + 200; seed++) {
      ElectionSimulation world = new ElectionSimulation(seed, Weather.CALM, OURS);
      world.awaitLeader(Duration.ofSeconds(30));
      world.run(10 + (int) (seed % 10));
      ElectionSettings settings = world.settings();
      Duration pause = longestPause(settings);

      world.leader().crash();
      Duration took = world.awaitLeader(Duration.ofMinutes(5));

      // One pause passes until the last renewal is seen, one after the lease has expired.
      assertThat(took)
          .as("seed " + seed)
          .isLessThan(
              slow(settings.timings().leaseDuration().plus(pause.multipliedBy(2))).plusSeconds(1));
    }
  }

  /** The work ends within a second, so does the request that gives the Lease back. */
  @Test
  void failover_afterARelease_takesOnePause() {
    for (long seed = firstSeed; seed < firstSeed + 200; seed++) {
      ElectionSimulation world = new ElectionSimulation(seed, Weather.CALM, OURS);
      world.awaitLeader(Duration.ofSeconds(30));
      world.run(10);
      if (!world.settings().releaseOnCancel()) {
        continue;
      }

      world.leader().cancel();
      Duration took = world.awaitLeader(Duration.ofMinutes(5));

      assertThat(took)
          .as("seed " + seed)
          .isLessThan(slow(longestPause(world.settings())).plusSeconds(2));
    }
  }

  private static Duration longestPause(ElectionSettings settings) {
    return Duration.ofNanos((long) (settings.timings().retryPeriod().toNanos() * 2.2));
  }

  /** The clock of a process may run 5 % too slowly. */
  private static Duration slow(Duration duration) {
    return duration.multipliedBy(100).dividedBy(95);
  }

  /** Shows that the check can fail: fabric8 and others read the time that the holder wrote. */
  private static final class ReadsRenewTime extends Election {
    private final Clock clock;

    ReadsRenewTime(
        ElectionSettings settings, Clock clock, RandomGenerator random, Listener listener) {
      super(settings, CLIENT, clock, random, listener);
      this.clock = clock;
    }

    @Override
    boolean isValid(Observation seen, long now) {
      return seen.lease() != null
          && seen.spec().renewTime() != null
          && Duration.between(seen.spec().renewTime().instant(), clock.now()).toSeconds()
              < seen.spec().leaseDurationSeconds();
    }
  }

  /** Counts the term from the answer, as if the request had taken no time. */
  private static final class CountsFromAnswer extends Election {
    private final Clock clock;

    CountsFromAnswer(
        ElectionSettings settings, Clock clock, RandomGenerator random, Listener listener) {
      super(settings, CLIENT, clock, random, listener);
      this.clock = clock;
    }

    @Override
    long deadline(long sent) {
      return super.deadline(clock.nanoTime());
    }
  }

  /** Uses the whole lease duration, as if all clocks ran at the same rate. */
  private static final class IgnoresDrift extends Election {
    private final ElectionSettings settings;

    IgnoresDrift(
        ElectionSettings settings, Clock clock, RandomGenerator random, Listener listener) {
      super(settings, CLIENT, clock, random, listener);
      this.settings = settings;
    }

    @Override
    long deadline(long sent) {
      return sent + TimeUnit.SECONDS.toNanos(settings.timings().leaseSeconds());
    }
  }

  @Test
  void check_ofARuleThatReadsRenewTime_fails() {
    assertThat(schedulesUntilFailure(ReadsRenewTime::new)).isLessThan(SCHEDULES);
  }

  @Test
  void check_ofARuleThatCountsFromTheAnswer_fails() {
    assertThat(schedulesUntilFailure(CountsFromAnswer::new)).isLessThan(SCHEDULES);
  }

  @Test
  void check_ofARuleThatIgnoresDrift_fails() {
    assertThat(schedulesUntilFailure(IgnoresDrift::new)).isLessThan(SCHEDULES);
  }

  private static int schedulesUntilFailure(Rules rules) {
    for (int seed = 0; seed < SCHEDULES; seed++) {
      try {
        new ElectionSimulation(seed, Weather.STORM, rules).run(SECONDS);
      } catch (AssertionError e) {
        return seed;
      }
    }
    return SCHEDULES;
  }
}
