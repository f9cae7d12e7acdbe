package dev.clientgo.simulation;

import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plans that a simulation tries: each fault at each place of the run without faults, then
 * random ones.
 */
final class Plans {

  private static final List<Kind> OF_WRITES =
      List.of(
          Kind.CRASH_AFTER_WRITE,
          Kind.CRASH_BEFORE_WRITE,
          Kind.CONFLICT,
          Kind.LOST_ANSWER,
          Kind.REFUSED_WRITE,
          Kind.PARTITION,
          Kind.EARLY_STEP);

  private static final List<Kind> OF_WRITES_OF_LEADERS =
      Stream.concat(OF_WRITES.stream(), Stream.of(Kind.LEADER_CHANGE)).toList();

  private static final List<Kind> OF_EVENTS =
      List.of(Kind.UNSEEN_EVENT, Kind.EXPIRED, Kind.LATE_EVENT, Kind.WATCH_CUT);

  private static final List<Kind> OF_RECONCILES =
      List.of(Kind.REPEATED_RECONCILE, Kind.SLOW_HANDLER);

  private static final List<Kind> OF_REQUESTS =
      List.of(
          Kind.CONNECTION_REFUSED, Kind.SERVER_ERROR, Kind.TOO_MANY_REQUESTS, Kind.SLOW_REQUEST);

  private static final List<Kind> OF_CALLS =
      List.of(Kind.CRASH_AFTER_CALL, Kind.CALL_LOST_ANSWER, Kind.CALL_FAILS, Kind.SLOW_CALL);

  private static final List<Kind> OF_CLOCKS = List.of(Kind.CLOCK_AHEAD, Kind.FAST_CLOCK);

  /** Those that look at a state, whatever it is. */
  private static final List<Kind> PROBES =
      List.of(Kind.DELETE_EVERYTHING, Kind.FRESH_CLUSTER, Kind.DELETE_CHILDREN, Kind.EDIT_CHILDREN);

  /** All that try the run without faults itself. */
  static final Set<Kind> ASK_WHAT_IS_RIGHT =
      Set.of(
          Kind.DELETE_EVERYTHING,
          Kind.FRESH_CLUSTER,
          Kind.DELETE_CHILDREN,
          Kind.EDIT_CHILDREN,
          Kind.AWAIT_TIMERS);

  private final Settings settings;
  private final Outcome calm;
  private final List<Plan> systematic;

  Plans(Settings settings, Outcome calm) {
    this.settings = settings;
    this.calm = calm;
    this.systematic = settings.systematic ? systematic() : List.of();
  }

  /** Returns how many plans of one fault there are beyond the most that are wanted. */
  int leftOut() {
    return Math.max(0, systematic.size() - settings.mostSystematic);
  }

  /**
   * Returns the plans that ask whether the run without faults is right, which is the measure of all
   * others.
   */
  List<Plan> probes() {
    List<Plan> plans = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (int step = 1; step <= calm.children().size(); step++) {
      boolean hasNew = known.addAll(calm.children().get(step - 1));
      for (Kind kind : PROBES) {
        if (hasNew || kind == Kind.FRESH_CLUSTER || kind == Kind.DELETE_EVERYTHING) {
          plans.add(Plan.of(0, Fault.of(kind, step)));
        }
      }
      plans.add(Plan.of(0, Fault.of(Kind.AWAIT_TIMERS, step)));
    }
    return wanted(plans);
  }

  private List<Plan> wanted(List<Plan> plans) {
    return plans.stream().filter(plan -> settings.without.stream().noneMatch(plan::has)).toList();
  }

  List<Plan> all() {
    List<Plan> plans = new ArrayList<>(systematic.subList(0, systematic.size() - leftOut()));
    for (long seed = settings.firstSeed; seed <= settings.lastSeed; seed++) {
      plans.add(random(seed));
    }
    return wanted(plans);
  }

  /** Returns each plan with one fault, on the schedule without chance; the best first. */
  private List<Plan> systematic() {
    List<Plan> plans = new ArrayList<>();
    addEach(plans, ofWrites(), calm.writes());
    addEach(plans, OF_CALLS, calm.calls());
    addEach(plans, List.of(Kind.UNSEEN_EVENT), calm.events());
    for (int step = 1; step <= calm.changesByStep().size(); step++) {
      for (int view = 1; view < calm.changesByStep().get(step - 1); view++) {
        plans.add(Plan.of(0, new Fault(Kind.STALE_RESTART, step, view)));
      }
    }
    addEach(plans, OF_RECONCILES, calm.reconciles());
    addEach(plans, OF_EVENTS.subList(1, OF_EVENTS.size()), calm.events());
    addEach(plans, OF_REQUESTS, calm.requests());
    if (calm.stops()) {
      addEach(plans, List.of(Kind.TERMINATE), calm.writes());
    }
    int before = 1;
    for (int step = 1; step <= calm.changesByStep().size(); step++) {
      plans.add(Plan.of(0, new Fault(Kind.OLDER_SERVER, step, Math.max(1, before))));
      before = calm.changesByStep().get(step - 1);
    }
    addEach(plans, OF_CLOCKS, settings.allProcesses());
    if (calm.elects()) {
      addEach(plans, List.of(Kind.SHARD_MOVES), calm.writes());
    }
    return wanted(plans);
  }

  private List<Kind> ofWrites() {
    return calm.elects() ? OF_WRITES_OF_LEADERS : OF_WRITES;
  }

  private static void addEach(List<Plan> plans, List<Kind> kinds, int count) {
    for (int at = 1; at <= count; at++) {
      for (Kind kind : kinds) {
        plans.add(Plan.of(0, Fault.of(kind, at)));
      }
    }
  }

  /** Returns a plan with a random schedule and one to three random faults. */
  private Plan random(long seed) {
    Random random = new Random(seed);
    Set<Fault> faults = new LinkedHashSet<>();
    int count = 1 + random.nextInt(3);
    while (faults.size() < count) {
      faults.add(
          switch (random.nextInt(6)) {
            case 0, 1 -> one(random, ofWrites(), calm.writes());
            case 2 -> one(random, OF_REQUESTS, calm.requests());
            case 3 -> one(random, OF_EVENTS, calm.events());
            case 4 -> one(random, OF_RECONCILES, calm.reconciles());
            default -> staleRestart(random);
          });
    }
    if (calm.calls() > 0 && random.nextBoolean()) {
      faults.add(one(random, OF_CALLS, calm.calls()));
    }
    return new Plan(seed, List.copyOf(faults));
  }

  private Fault staleRestart(Random random) {
    return settings.steps.isEmpty()
        ? one(random, OF_REQUESTS, calm.requests())
        : new Fault(
            Kind.STALE_RESTART,
            1 + random.nextInt(settings.steps.size()),
            1 + random.nextInt(Math.max(1, calm.changes().size())));
  }

  private static Fault one(Random random, List<Kind> kinds, int count) {
    return Fault.of(
        kinds.get(random.nextInt(kinds.size())), 1 + random.nextInt(Math.max(1, count)));
  }
}
