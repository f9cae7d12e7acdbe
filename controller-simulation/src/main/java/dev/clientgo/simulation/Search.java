package dev.clientgo.simulation;

import dev.clientgo.clock.Clock;
import dev.clientgo.simulation.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs plans, and shrinks those that break the controller. */
final class Search {

  private final Settings settings;
  private final long start = Clock.system().nanoTime();
  private final List<SimulatedRun> failures = new ArrayList<>();
  private final Outcome calm;
  private final Comparison comparison;
  private final Plans plans;
  private int runs;

  Search(Settings settings) {
    this.settings = settings;
    this.calm = run(Plan.of(0));
    this.comparison = new Comparison(calm);
    this.plans = new Plans(settings, calm);
  }

  private Outcome run(Plan plan) {
    runs++;
    return new Run(settings, plan).execute();
  }

  /** Returns how the run without faults went. */
  SimulatedRun calm() {
    return calm.described(calm.violations());
  }

  SimulationResult result() {
    return new SimulationResult(
        runs,
        Duration.ofNanos(Clock.system().nanoTime() - start),
        failures,
        calm.violations().isEmpty() ? plans.leftOut() : 0);
  }

  /** Returns all plans but the one without faults; none if that fails, as there is no measure. */
  List<Plan> plans() {
    return calm.violations().isEmpty() ? plans.all() : List.of();
  }

  /** Runs plans until there are enough failures. */
  void search() {
    if (!calm.violations().isEmpty()) {
      failures.add(calm());
      return;
    }
    for (Plan plan : plans()) {
      SimulatedRun run = attempt(plan);
      // Several plans may shrink to the same one.
      if (!run.passed() && failures.stream().noneMatch(known -> known.plan().equals(run.plan()))) {
        failures.add(run);
      }
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
    Outcome outcome = plan.equals(calm.plan()) ? calm : run(plan);
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
