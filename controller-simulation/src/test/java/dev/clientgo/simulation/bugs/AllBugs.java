package dev.clientgo.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedRun;
import dev.clientgo.simulation.SimulationResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs all bugs and twins, none of which has a specification, with more plans and replays than
 * their own tests do, and prints a table. Fails if a bug is not found, a replay differs, or a twin
 * raises an alarm.
 *
 * <p>It is no part of a build: {@code mvn -pl controller-simulation/tests test -Dtest=AllBugs}. The
 * system properties {@code simulation.seeds}, 200 by default, and {@code simulation.replays}, 100
 * by default, are the numbers of random plans and of replays; {@code simulation.bug} is a part of
 * the name of the bugs to run. As a program, it takes these three as arguments.
 */
final class AllBugs {

  private static final String ROW = "%-34s %-32s %5s  %-9s %s%n";

  /** The bugs that only faults show; the others are those of the enums. */
  private static final List<BugAndTwin> OF_FAULTS =
      List.of(
          new CrashBetweenTwoCreatesTest(),
          new DoneBeforeItIsDoneTest(),
          new WorkInMemoryOnlyTest(),
          new FinalizerRemovedTooSoonTest(),
          new FinalizerInAnOldCacheTest(),
          new RetryThatCreatesTwiceTest(),
          new GeneratedNameAndOldCacheTest(),
          new OldCacheDeletesWhatIsNewTest(),
          new OldObjectOverANewerOneTest(),
          new UnseenDeletionLeaksASecretTest(),
          new OwnerWithAnotherUidTest(),
          new ExpiredWatchTest(),
          new QueueOfObjectsTest(),
          new WorkInTheEventHandlerTest(),
          new ErrorOnlyLoggedTest(),
          new ConflictTakenForSuccessTest(),
          new StatusLoopTest(),
          new WritesWithoutAChangeTest(),
          new WriteWithoutLeadershipTest());

  static Stream<Pair> all() {
    return Stream.of(
            OF_FAULTS.stream().map(BugAndTwin::pair),
            Arrays.stream(KindsOfBugsTest.Bug.values()),
            Arrays.stream(TrackedBugsTest.Bug.values()),
            Arrays.stream(FaultBugsTest.Bug.values()))
        .flatMap(Function.identity());
  }

  @Test
  @Timeout(value = 12, unit = TimeUnit.HOURS)
  void all_areFoundAndReplayed_andNoTwinRaisesAnAlarm() {
    int seeds = Integer.getInteger("simulation.seeds", 200);
    int replays = Integer.getInteger("simulation.replays", 100);

    assertThat(run(seeds, replays, System.getProperty("simulation.bug", "")))
        .as("the bugs that fail")
        .isEmpty();
  }

  /** Runs some bugs: seeds, replays, part of the name. Ends with status 1 if one fails. */
  public static void main(String[] args) {
    Logger.getLogger("").setLevel(Level.OFF); // Each fault would be a line.
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 200;
    int replays = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    if (!run(seeds, replays, args.length > 2 ? args[2] : "").isEmpty()) {
      System.exit(1);
    }
  }

  /** Prints a table, and returns the names of the bugs that fail. */
  private static List<String> run(int seeds, int replays, String part) {
    System.out.printf(ROW, "bug", "found by", "runs", "replays", "twin");
    List<Pair> chosen = all().filter(bug -> bug.name().contains(part)).toList();
    List<String> failed =
        chosen.stream().filter(bug -> !runs(bug, seeds, replays)).map(Pair::name).toList();
    System.out.printf(
        "%d of %d pass, on Java %s%n",
        chosen.size() - failed.size(), chosen.size(), Runtime.version());
    return failed;
  }

  /** Prints a row, and returns whether all is as it should be. */
  private static boolean runs(Pair bug, int seeds, int replays) {
    ControllerSimulation simulation = bug.simulation(true).seeds(1, seeds).mostFailures(1);
    SimulationResult result = simulation.run();
    SimulationResult twin = bug.simulation(false).seeds(1, seeds).run();
    long equal =
        result.failures().stream()
            .mapToLong(failure -> equalReplays(simulation, failure, replays))
            .sum();
    System.out.printf(
        Locale.ROOT,
        ROW,
        bug.name(),
        result.passed() ? "NOT FOUND" : result.failures().get(0).plan(),
        result.runs(),
        equal + "/" + replays,
        (twin.passed() ? "silent, " : "FALSE ALARM, ") + twin);
    twin.failures().forEach(failure -> System.out.println(failure.describe()));
    return !result.passed() && equal == replays && twin.passed();
  }

  private static long equalReplays(
      ControllerSimulation simulation, SimulatedRun failure, int replays) {
    return IntStream.range(0, replays)
        .filter(i -> simulation.replay(failure.plan().toString()).equals(failure))
        .count();
  }
}
