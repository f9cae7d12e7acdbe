package dev.clientgo.simulation;

import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares runs with the one without faults.
 *
 * <p>The states after each step must be equal, and an object that lives on from step to step
 * without faults must not be replaced. The numbers of objects created and deleted must be equal
 * too, but only if the faults let the controller see all there is: with an old view, a correct
 * controller may create a child of an owner that is gone, and delete it again.
 */
final class Comparison {

  /** The faults after which the controller sees all that it would see without them. */
  private static final Set<Kind> WITH_FULL_VIEW =
      Set.of(
          Kind.CRASH_BEFORE_WRITE,
          Kind.CRASH_AFTER_WRITE,
          Kind.LOST_ANSWER,
          Kind.CONFLICT,
          Kind.LEADER_CHANGE,
          Kind.REPEATED_RECONCILE,
          Kind.TERMINATE,
          Kind.CRASH_AFTER_CALL,
          Kind.CALL_LOST_ANSWER);

  private final Outcome calm;
  private final Normalizer normalizer;

  /**
   * Creates a comparison.
   *
   * @param calm the run without faults
   */
  Comparison(Outcome calm, Normalizer normalizer) {
    this.calm = calm;
    this.normalizer = normalizer;
  }

  /** Returns the oracles that a run violates. */
  List<String> violations(Outcome outcome) {
    List<String> violations = new ArrayList<>(outcome.violations());
    if (violations.isEmpty()) {
      violations.addAll(states(outcome));
      violations.addAll(replaced(outcome));
      violations.addAll(failing(outcome));
      if (hasFullView(outcome.plan())) {
        violations.addAll(moreOften("created", outcome.creates(), calm.creates()));
        violations.addAll(moreOften("deleted", outcome.deletes(), calm.deletes()));
      }
    }
    outcome.plan().faults().stream()
        .map(Fault::kind)
        .filter(Plans.ASK_WHAT_IS_RIGHT::contains)
        .forEach(kind -> violations.replaceAll(violation -> violation + optOut(kind)));
    return violations;
  }

  private static String optOut(Kind kind) {
    return "\n    (if the controller is right, say so by without(Kind."
        + kind.name()
        + (kind == Kind.DELETE_EVERYTHING ? ") or remaining(\"resource namespace/name\"" : "")
        + "))";
  }

  private static boolean hasFullView(Plan plan) {
    return plan.seed() == 0
        && plan.faults().stream().allMatch(fault -> WITH_FULL_VIEW.contains(fault.kind()));
  }

  private List<String> states(Outcome outcome) {
    int last = Math.min(outcome.rests().size(), calm.rests().size());
    for (int i = 0; i < last; i++) {
      Optional<Snapshot> actual = outcome.rests().get(i);
      Optional<Snapshot> expected = calm.rests().get(i);
      if (actual.isPresent() && expected.isPresent()) {
        List<String> differences = actual.get().differencesFrom(expected.get(), normalizer::texts);
        if (!differences.isEmpty()) {
          String when = when(outcome.plan(), i + 1, i + 1 == last);
          return differences.stream().map(difference -> when + difference).toList();
        }
      }
    }
    return List.of();
  }

  private static String when(Plan plan, int step, boolean last) {
    if (plan.has(Kind.FRESH_CLUSTER)) {
      return "a controller that starts only after step " + step + " makes something else: ";
    }
    return last ? "at the end " : "after step " + step + " ";
  }

  private List<String> replaced(Outcome outcome) {
    List<String> violations = new ArrayList<>();
    int before = -1;
    for (int i = 0; i < Math.min(outcome.rests().size(), calm.rests().size()); i++) {
      if (outcome.rests().get(i).isEmpty() || calm.rests().get(i).isEmpty()) {
        continue;
      }
      if (before >= 0) {
        Map<String, Integer> expected = survivors(calm, before, i);
        Map<String, Integer> actual = survivors(outcome, before, i);
        int step = i + 1;
        expected.forEach(
            (key, count) -> {
              if (actual.getOrDefault(key, 0) < count) {
                violations.add(
                    "in step " + step + " it has deleted " + key + " and created it again");
              }
            });
      }
      before = i;
    }
    return violations;
  }

  private Map<String, Integer> survivors(Outcome outcome, int from, int to) {
    Snapshot later = outcome.rests().get(to).orElseThrow();
    return outcome.rests().get(from).orElseThrow().survivors(later, normalizer::key);
  }

  private List<String> failing(Outcome outcome) {
    Map<String, String> failing = new TreeMap<>(outcome.failing());
    failing.keySet().removeAll(calm.failing().keySet());
    return failing.entrySet().stream()
        .map(
            entry -> "the last reconcile of " + entry.getKey() + " has failed: " + entry.getValue())
        .toList();
  }

  private List<String> moreOften(
      String what, Map<String, Integer> counts, Map<String, Integer> calmCounts) {
    Map<String, Integer> actual = normalizer.counts(counts);
    Map<String, Integer> expected = normalizer.counts(calmCounts);
    List<String> violations = new ArrayList<>();
    actual.forEach(
        (key, count) -> {
          int usual = expected.getOrDefault(key, 0);
          if (count > usual) {
            violations.add(
                "it has %s %d of %s, but %d without the faults".formatted(what, count, key, usual));
          }
        });
    return violations;
  }
}
