package dev.clientgo.simulation;

import dev.clientgo.clock.Clock;
import dev.clientgo.simulation.Settings.Workload;
import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs plans, and shrinks those that break the controller. */
final class Search {

  private final Settings settings;
  private final Workload workload;
  private final long start = Clock.system().nanoTime();
  private final List<SimulatedRun> failures = new ArrayList<>();
  private final Outcome calm;

  /** What the run without faults violates by itself, or as the measure of the others. */
  private final List<String> calmViolations;

  private final Normalizer normalizer;
  private final Comparison comparison;
  private final Plans plans;
  private int runs;

  /** The states of the run without faults with other random numbers; empty if that has failed. */
  private final List<Optional<Snapshot>> otherRests;

  Search(Settings settings) {
    this(settings, settings.workload());
  }

  Search(Settings settings, Workload workload) {
    this.settings = settings;
    this.workload = workload;
    Normalizer all = Normalizer.of(settings.ignored, settings.names, List.of(), List.of());
    this.calm = run(Plan.of(0), 0, all);
    Replays replays = new Replays(calm);
    this.calmViolations =
        Stream.concat(
                calm.violations().stream(),
                Stream.of(
                        replays.differences(run(Plan.of(0), 0, all).trace(), "a second run"),
                        replays.differencesFromOtherJvm())
                    .flatMap(List::stream)
                    .filter(difference -> !settings.mayBeOutside(difference)))
            .distinct()
            .toList();
    this.otherRests = calmViolations.isEmpty() ? run(Plan.of(0), 1, all).rests() : List.of();
    this.normalizer = normalizer(List.of(), List.of());
    this.comparison = new Comparison(calm, normalizer);
    this.plans = new Plans(settings, calm);
  }

  /**
   * Returns a normalizer that leaves out what differs without faults, and between two lists of more
   * states.
   */
  Normalizer normalizer(List<Optional<Snapshot>> one, List<Optional<Snapshot>> other) {
    List<Optional<Snapshot>> these =
        new ArrayList<>(otherRests.isEmpty() ? List.of() : calm.rests());
    List<Optional<Snapshot>> others = new ArrayList<>(otherRests);
    these.addAll(one);
    others.addAll(other);
    return Normalizer.of(settings.ignored, settings.names, these, others);
  }

  Normalizer normalizer() {
    return normalizer;
  }

  int runs() {
    return runs;
  }

  /** Runs a plan; again with a calmer begin of a step that fails because it begins too early. */
  private Outcome run(Plan plan, long salt, Normalizer leavingOut) {
    Set<Integer> calmSteps = new HashSet<>();
    while (true) {
      runs++;
      Outcome outcome = new Run(settings, workload, plan, salt, leavingOut, calmSteps).execute();
      if (outcome.early() == 0) {
        return outcome;
      }
      calmSteps.add(outcome.early());
    }
  }

  /** Returns how the run without faults went. */
  SimulatedRun calm() {
    return calm.described(calmViolations);
  }

  SimulationResult result() {
    return new SimulationResult(
        runs,
        Duration.ofNanos(Clock.system().nanoTime() - start),
        failures,
        calmViolations.isEmpty() ? plans.leftOut() : 0);
  }

  /** Returns all plans but the one without faults; none if that fails, as there is no measure. */
  List<Plan> plans() {
    return calmViolations.isEmpty()
        ? Stream.concat(plans.probes().stream(), plans.all().stream()).toList()
        : List.of();
  }

  /** Runs plans until there are enough failures. */
  void search() {
    if (!calmViolations.isEmpty()) {
      failures.add(calm());
      return;
    }
    search(plans.probes());
    if (failures.isEmpty()) { // Else the run without faults is wrong, and no measure.
      search(plans.all());
    }
  }

  /** Tries other orders of the threads that are ready at the same time, the least changes first. */
  ExploredOrders exploreOrders(int bound) {
    Set<Integer> states = new HashSet<>();
    if (!calmViolations.isEmpty()) {
      return new ExploredOrders(0, 1, bound, List.of(calm()));
    }
    Deque<Plan> plans = new ArrayDeque<>(List.of(Plan.of(0)));
    int orders = 0;
    settings.recordsOrders = true;
    try {
      for (; orders < bound && !plans.isEmpty(); orders++) {
        Plan plan = plans.remove();
        Outcome outcome = run(plan, 0, normalizer);
        if (!comparison.violations(outcome).isEmpty()) {
          add(attempt(plan));
        }
        if (failures.size() >= settings.mostFailures) {
          return new ExploredOrders(states.size(), orders + 1, bound, failures);
        }
        int last = plan.faults().stream().mapToInt(Fault::at).max().orElse(0);
        for (int at = last + 1; at <= outcome.points().size(); at++) {
          Orders.Point point = outcome.points().get(at - 1);
          boolean isNew = states.add(point.state());
          for (int i = 1; isNew && i < point.threads(); i++) {
            List<Fault> more = new ArrayList<>(plan.faults());
            more.add(new Fault(Kind.ORDER, at, i));
            plans.add(new Plan(0, more));
          }
        }
      }
    } finally {
      settings.recordsOrders = false;
    }
    return new ExploredOrders(states.size(), orders, bound, failures);
  }

  /** Adds a failure. Several plans may shrink to the same one. */
  private void add(SimulatedRun run) {
    if (!run.passed() && failures.stream().noneMatch(known -> known.plan().equals(run.plan()))) {
      failures.add(run);
    }
  }

  private void search(List<Plan> some) {
    for (Plan plan : some) {
      add(attempt(plan));
      if (failures.size() >= settings.mostFailures) {
        return;
      }
    }
  }

  /** Runs a plan; if it fails, returns the run of the least plan that still does. */
  SimulatedRun attempt(Plan plan) {
    SimulatedRun run = replay(plan);
    if (run.passed()) {
      return run;
    }
    Plan least = shrink(plan);
    return least.equals(plan) ? run : replay(least);
  }

  /** Runs a plan. */
  SimulatedRun replay(Plan plan) {
    if (plan.equals(calm.plan())) {
      return calm();
    }
    Outcome outcome = run(plan, 0, normalizer);
    return outcome.described(comparison.violations(outcome));
  }

  /** Removes chance and faults from a plan as long as it still fails. */
  private Plan shrink(Plan plan) {
    Plan least = plan;
    Plan calmer = new Plan(0, plan.faults());
    if (plan.seed() != 0 && fails(calmer)) {
      least = calmer;
    }
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (int i = 0; i < least.faults().size() && !smaller; i++) {
        Plan fewer = least.without(i);
        if ((!fewer.faults().isEmpty() || fewer.seed() != 0) && fails(fewer)) {
          least = fewer;
          smaller = true;
        }
      }
    }
    return least;
  }

  private boolean fails(Plan plan) {
    return !replay(plan).passed();
  }
}
