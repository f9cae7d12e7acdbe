package dev.clientgo.simulation;

import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.Invariant;
import dev.clientgo.simulation.workload.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The settings of a simulation, which all its runs share. Changed only before the first run. */
final class Settings {

  /**
   * One step of the workload.
   *
   * @param name the name
   * @param step the code
   */
  record NamedStep(String name, Step step) {}

  /**
   * The steps that a run takes.
   *
   * @param steps the steps
   * @param mayFail whether a reconcile may fail at rest, since the caller of the run looks at
   *     {@link Outcome#failingAtRest}
   */
  record Workload(List<NamedStep> steps, boolean mayFail) {}

  final ControllerSetup setup;
  final List<ControllerSetup> environment = new ArrayList<>();
  final List<ControllerSetup> together = new ArrayList<>();
  final List<Step> preparations = new ArrayList<>();
  final List<NamedStep> steps = new ArrayList<>();
  final Map<String, Invariant> always = new LinkedHashMap<>();
  final Map<String, Invariant> atRest = new LinkedHashMap<>();
  final Set<String> ignored = new LinkedHashSet<>();
  final List<Pattern> names = new ArrayList<>();
  final List<Pattern> remaining = new ArrayList<>();
  final List<Pattern> failing = new ArrayList<>();
  final List<Pattern> outside = new ArrayList<>();
  final Set<Kind> without = EnumSet.noneOf(Kind.class);
  boolean garbageCollection = true;
  int processes = 1;
  int unchangedWrites = 3;
  Duration quiet = Duration.ofMinutes(5);

  /** Whether a step may end before the quiet time has passed, if only leases are renewed. */
  boolean endsEarly = true;

  Duration longestStep = Duration.ofHours(2);

  /** Whether runs record where several threads could run. */
  boolean recordsOrders;

  boolean systematic = true;
  int mostSystematic = 2000;
  long firstSeed = 1;
  long lastSeed = 50;
  int mostFailures = 10;

  Settings(ControllerSetup setup) {
    this.setup = setup;
  }

  /** Returns how many processes are under test. */
  int allProcesses() {
    return processes + together.size();
  }

  Workload workload() {
    return new Workload(steps, false);
  }

  /** Returns whether the user allows what a report says that a replay does not control. */
  boolean mayBeOutside(String report) {
    return outside.stream().anyMatch(pattern -> pattern.matcher(report).find());
  }
}
