package dev.clientgo.simulation.bugs;

import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedRun;
import dev.clientgo.simulation.SimulationResult;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Runs all bugs and twins with more plans than the tests do, and prints what it finds and how fast.
 * Not a test. The arguments are the number of random plans, 200 by default, how often to replay a
 * plan, 100 by default, and optionally a part of the name of a bug.
 */
final class AllBugs {

  private static final List<BugAndTwin> ALL =
      List.of(
          new CrashBetweenTwoCreatesTest(),
          new DoneBeforeItIsDoneTest(),
          new WorkInMemoryOnlyTest(),
          new FinalizerRemovedTooSoonTest(),
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

  private AllBugs() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 200;
    int replays = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    String part = args.length > 2 ? args[2] : "";
    Logger.getLogger("").setLevel(Level.OFF); // Each fault would be a line.
    for (BugAndTwin bug : ALL) {
      if (bug.name().contains(part)) {
        printBug(bug, seeds, replays);
        printTwin(bug, seeds);
      }
    }
  }

  private static void printBug(BugAndTwin bug, int seeds, int replays) {
    ControllerSimulation simulation = bug.simulation(bug.buggy()).seeds(1, seeds).mostFailures(1);
    SimulationResult result = simulation.run();
    if (result.passed()) {
      System.out.println(bug.name() + ": NOT FOUND, " + result);
      return;
    }
    SimulatedRun failure = result.failures().get(0);
    long same =
        IntStream.range(0, replays)
            .filter(i -> simulation.replay(failure.plan().toString()).equals(failure))
            .count();
    System.out.printf(
        "%s: %s (replayed %d of %d times; %s)%n",
        bug.name(), failure.plan(), same, replays, result);
    failure.violations().forEach(violation -> System.out.println("  " + violation));
  }

  private static void printTwin(BugAndTwin bug, int seeds) {
    SimulationResult result = bug.simulation(bug.correct()).seeds(1, seeds).run();
    System.out.println("  twin: " + result);
    for (SimulatedRun failure : result.failures()) {
      System.out.println("    FALSE ALARM " + failure.plan() + " " + failure.violations());
    }
  }
}
