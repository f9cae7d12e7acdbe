package dev.clientgo.leaderelection.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.SimulatedWorld.Weather;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.internal.Observation;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Groups of 2 to 50 members in a world where members join, leave, pause, die and are cut off,
 * clocks drift and jump, answers are lost and requests arrive twice, watches break and show old
 * states.
 */
final class ShardModelTest {

  /** {@code -Dshards.schedules=5000} for a long run. */
  private static final int SCHEDULES = Integer.getInteger("shards.schedules", 30);

  /** The number of schedules from which on rare mistakes are searched for, too. */
  private static final int LONG_RUN = 1000;

  private static final int SECONDS = 120;

  /** {@code -Dshards.seed=…} replays a schedule that has failed. */
  private static final long FIRST_SEED = Long.getLong("shards.seed", new Random().nextLong() >>> 1);

  private static final SafetyRules OURS = new SafetyRules();

  @Test
  void slots_inAnySchedule_neverHaveTwoOwners() {
    long taken = 0;
    long handedOver = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
      boolean calmsDown = seed % 3 == 0;
      ShardSimulation world = run(seed, size(seed), SECONDS, calmsDown);
      taken += world.taken();
      handedOver += world.handedOver();
    }

    // The schedules are of use: slots change hands all the time.
    assertThat(taken).isGreaterThan(20L * SCHEDULES);
    assertThat(handedOver).isGreaterThan(5L * SCHEDULES);
  }

  @Test
  void slotsOfFiftyMembers_neverHaveTwoOwners() {
    ShardSimulation world = run(FIRST_SEED, 50, 30, true);

    assertThat(world.taken()).isGreaterThanOrEqualTo(world.slots());
  }

  private static int size(long seed) {
    return 2 + (int) (seed % 7);
  }

  private static ShardSimulation run(long seed, int size, int seconds, boolean calmsDown) {
    try {
      return storm(new ShardSimulation(seed, Weather.STORM, size, OURS), seconds, calmsDown);
    } catch (AssertionError e) {
      ShardSimulation again = new ShardSimulation(seed, Weather.STORM, size, OURS);
      again.trace();
      try {
        storm(again, seconds, calmsDown);
      } catch (AssertionError traced) {
        throw new AssertionError("-Dshards.seed=" + seed + ": " + traced.getMessage(), e);
      }
      throw new AssertionError("seed " + seed + " fails, but not when it is traced", e);
    }
  }

  /** Lets it storm, and then, if it calms down, waits until each slot has its owner. */
  private static ShardSimulation storm(ShardSimulation world, int seconds, boolean calmsDown) {
    world.run(seconds);
    if (calmsDown) {
      world.calmDown();
      world.awaitSettled(Duration.ofMinutes(3));
      world.run(90); // The last late requests arrive, and the last members start.
      world.awaitSettled(Duration.ofMinutes(3));
      Map<Integer, String> owners = world.owners();
      int version = world.recordVersion();
      world.run(30);
      // No two members hand a slot to each other again and again.
      assertThat(world.recordVersion()).isEqualTo(version);
      assertThat(world.owners()).isEqualTo(owners);
    }
    return world;
  }

  // ---- a calm world

  private static ShardSimulation settled(long seed, int size) {
    ShardSimulation world = new ShardSimulation(seed, Weather.CALM, size, OURS);
    world.run(5); // All have started, one after the other.
    world.awaitSettled(Duration.ofMinutes(1));
    world.run(5 + (int) (seed % 5));
    world.forgetGaps();
    return world;
  }

  private static long slow(Duration time) {
    return time.toMillis() * 100 / 95; // A clock may run 5 % too slowly.
  }

  @Test
  void join_movesSlotsToTheNewMemberAlone() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();

      world.join("new");
      world.awaitSettled(Duration.ofSeconds(20));

      Map<Integer, String> after = world.owners();
      before.forEach(
          (slot, owner) -> assertThat(after.get(slot)).isIn(owner, "new").as("slot " + slot));
      // Work takes up to 2 s, and only while it lasts no other may begin.
      assertThat(world.longestGap()).as("seed " + seed).isLessThan(Duration.ofSeconds(1));
    }
  }

  /** Checks that each slot that did not belong to a member has the owner that it had. */
  private static void assertOthersKeep(
      Map<Integer, String> before, Map<Integer, String> after, SimulatedMember gone) {
    before.forEach(
        (slot, owner) -> {
          if (!owner.equals(gone.toString())) {
            assertThat(after).containsEntry(slot, owner);
          }
        });
  }

  @Test
  void leave_movesOnlyTheSlotsOfTheMember() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();
      SimulatedMember leaver = world.members().get(0);

      leaver.leave();
      world.awaitSettled(Duration.ofSeconds(20));

      Map<Integer, String> after = world.owners();
      assertOthersKeep(before, after, leaver);
      assertThat(after).doesNotContainValue(leaver.toString());
      assertThat(world.longestGap()).as("seed " + seed).isLessThan(Duration.ofSeconds(1));
      world.run(10);
      assertThat(leaver.isAlive()).isFalse();
    }
  }

  /** One that waits for its caches takes nothing from the others, and then its part. */
  @Test
  void memberThatIsNotReady_ownsNoSlot_untilItIs() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();

      SimulatedMember waits = world.join("new");
      waits.ready(false);
      world.run(20);
      assertThat(waits.rules().isMember()).isTrue();
      assertThat(world.owners()).isEqualTo(before);

      waits.ready(true);
      world.awaitSettled(Duration.ofSeconds(20));
      assertThat(world.owners()).containsValue("new");

      waits.ready(false);
      world.awaitSettled(Duration.ofSeconds(20));
      assertThat(world.owners()).isEqualTo(before);
      assertThat(world.longestGap()).as("seed " + seed).isLessThan(Duration.ofSeconds(1));
    }
  }

  /** In each period, it gives its slots away, and each of the others may give some back. */
  @Test
  void memberThatIsNotReady_whoseAnnotationIsStripped_writesAtTheRetryPeriod() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      SimulatedMember waits = world.members().get(0);
      world.leases.strips = true;
      waits.ready(false);
      long before = world.writes();

      world.run(20);

      double periods = 20_000.0 / world.timings().retryPeriod().toMillis();
      assertThat(world.writes() - before)
          .as("seed " + seed)
          .isLessThan((long) ((2 * size(seed) + 2) * periods * 1.06) + 10);
      waits.leave();
      world.run(20);
      assertThat(waits.isAlive()).isFalse();
    }
  }

  @Test
  void death_movesOnlyTheSlotsOfTheMember_afterTheLeaseDuration() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();
      SimulatedMember dead = world.members().get(0);

      dead.crash();
      world.awaitSettled(Duration.ofSeconds(60));

      Map<Integer, String> after = world.owners();
      assertOthersKeep(before, after, dead);
      assertThat(world.longestGap().toMillis())
          .as("seed " + seed)
          .isLessThan(slow(world.timings().leaseDuration()) + 2_000);
    }
  }

  @Test
  void cutOff_stopsByItself_andComesBack() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();

      world.members().get(0).cutOff(Duration.ofSeconds(40).toNanos());
      world.run(39);
      assertThat(world.members().get(0).slotCount()).isZero();
      assertThat(world.owners()).hasSize(world.slots());
      world.run(1);
      world.awaitSettled(Duration.ofSeconds(30));

      // The hash of its identity is as it was, so it has the same slots again.
      assertThat(world.owners()).isEqualTo(before);
    }
  }

  @Test
  void outageOfTheServer_movesNoSlot() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, size(seed));
      Map<Integer, String> before = world.owners();
      int handedOver = world.handedOver();

      for (SimulatedMember member : world.members()) {
        member.cutOff(Duration.ofSeconds(60).toNanos());
      }
      world.run(59);
      assertThat(world.owners()).isEmpty();
      world.run(1);
      world.awaitSettled(Duration.ofSeconds(10));

      assertThat(world.owners()).isEqualTo(before);
      assertThat(world.handedOver()).isEqualTo(handedOver);
    }
  }

  /**
   * After a restore of etcd the record names earlier owners, and dead members have Leases again.
   * Before and after it, members join, crash and leave.
   */
  @Test
  void restoreOfTheServer_givesNoSlotTwoOwners() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
      ShardSimulation world = settled(seed, 3 + size(seed));
      int backup = world.leases.version();
      world.join("joined before");
      world.awaitSettled(Duration.ofMinutes(1));
      world.members().get(0).crash();
      world.members().get(1).leave();
      world.awaitSettled(Duration.ofMinutes(2));
      world.run(1 + (int) (seed % 20));

      world.restore(backup);
      if (seed % 2 == 0) {
        world.run((int) (seed % 5));
        world.join("joined after");
      }
      world.awaitSettled(Duration.ofMinutes(2));
      world.run(60);
      world.awaitSettled(Duration.ofMinutes(1));
    }
  }

  @Test
  void fiftyMembers_ofAQuietGroup_writeOnceEachInARetryPeriod() {
    ShardSimulation world = settled(FIRST_SEED, 50);
    long before = world.writes();

    world.run(10);

    double periods = 10_000.0 / world.timings().retryPeriod().toMillis();
    assertThat(world.writes() - before).isLessThan((long) (50 * periods * 1.06) + 50);
  }

  // ---- the checks can fail

  static Stream<Arguments> brokenRules() {
    return Stream.of(
        argumentSet(
            "clocks are believed to run at one rate",
            new SafetyRules() {
              @Override
              long deadline(LeaseTimings timings, long sent, long answered) {
                return sent + timings.leaseDuration().toNanos();
              }
            }),
        argumentSet(
            "an expired member is deleted whatever its version",
            new SafetyRules() {
              @Override
              LeaseRequest evict(Lease expired) {
                return new LeaseRequest.Delete(
                    expired.with(lease -> lease.editMetadata(m -> m.resourceVersion(null))));
              }
            }),
        argumentSet(
            "a member that the watch does not show is believed to be gone",
            new SafetyRules() {
              @Override
              boolean mustAsk(MemberId owner) {
                return false;
              }
            }),
        argumentSet(
            "a slot does not wait for its work",
            new SafetyRules() {
              @Override
              boolean mustWait(SlotTerm term) {
                return false;
              }
            }),
        argumentSet(
            "a member that is not ready takes slots",
            new SafetyRules() {
              @Override
              boolean wantsSlots(boolean ready, boolean leaving) {
                return !leaving;
              }
            }),
        argumentSet(
            "the fence is open twice as long",
            new SafetyRules() {
              @Override
              long deadline(LeaseTimings timings, long sent, long answered) {
                return sent + 2 * timings.leaseDuration().toNanos();
              }
            }),
        argumentSet(
            "others wait for half the lease duration",
            new SafetyRules() {
              @Override
              boolean isExpired(Observation observed, long now) {
                return now - observed.since() > (observed.expiry() - observed.since()) / 2;
              }
            }));
  }

  /** Wrong rules that do harm only if several things go wrong at once. */
  static Stream<Arguments> rarelyHarmfulRules() {
    return Stream.of(
        argumentSet(
            "the time counts from the answer",
            new SafetyRules() {
              @Override
              long deadline(LeaseTimings timings, long sent, long answered) {
                return answered + timings.termNanos();
              }
            }),
        argumentSet(
            "a slot is kept although it may have been given away",
            new SafetyRules() {
              @Override
              boolean isNewer(int version, int givenAwayAt) {
                return true;
              }
            }));
  }

  /** Finding these takes some hundred schedules, so they are for a long run. */
  @ParameterizedTest
  @MethodSource
  void rarelyHarmfulRules(SafetyRules broken) {
    assumeTrue(SCHEDULES >= LONG_RUN, "-Dshards.schedules=" + LONG_RUN);
    assertThat(schedulesUntilFailure(broken)).isLessThan(BROKEN_SCHEDULES);
  }

  @ParameterizedTest
  @MethodSource
  void brokenRules(SafetyRules broken) {
    assertThat(schedulesUntilFailure(broken)).isLessThan(BROKEN_SCHEDULES);
  }

  private static final int BROKEN_SCHEDULES = 2000;

  /** A little before the first seeds that show each wrong rule, of which some are far apart. */
  private static final int FIRST_BROKEN_SEED = 236;

  private static int schedulesUntilFailure(SafetyRules broken) {
    for (int i = 0; i < BROKEN_SCHEDULES; i++) {
      int seed = FIRST_BROKEN_SEED + i;
      try {
        new ShardSimulation(seed, Weather.STORM, 2 + seed % 5, broken).run(SECONDS);
      } catch (AssertionError e) {
        return i;
      }
    }
    return BROKEN_SCHEDULES;
  }
}
