package dev.clientgo.simulation;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.ExplorationResult.Finding;
import dev.clientgo.simulation.ExploredChanges.Change;
import dev.clientgo.simulation.Settings.NamedStep;
import dev.clientgo.simulation.Settings.Workload;
import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.internal.values.SchemaField;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tries changes of one object, and shrinks those that break its controller. */
final class Explorer {

  /** The errors that are never the fault of a user. */
  private static final Pattern BUG =
      Pattern.compile(
          "java\\.(lang|util)\\.(NullPointer|ClassCast|\\w*IndexOutOfBounds|NegativeArraySize"
              + "|Arithmetic|NoSuchElement|UnsupportedOperation)Exception\\b.*",
          Pattern.DOTALL);

  private static final Plan CALM = Plan.of(0);

  private final Settings settings;
  private final ExploredObject object;

  /** Has run the object without a change. */
  private final Search calm;

  private int runs;

  Explorer(Settings settings, ExploredObject object) {
    this.settings = settings;
    this.object = object;
    this.calm = new Search(settings, object.created());
    this.runs = calm.runs();
  }

  /**
   * What the runs of a change show.
   *
   * @param oracle the one that is violated; empty if none is
   * @param effect whether anything has changed apart from the object itself
   * @param reported whether the controller says that it cannot do what is asked for
   */
  private record Verdict(
      String oracle,
      List<String> violations,
      List<String> history,
      boolean effect,
      boolean reported) {}

  // ---- the search

  ExplorationResult explore(int most, long seed) {
    List<Finding> findings = new ArrayList<>();
    ExploredChanges changes = new ExploredChanges(object, most / 2, seed);
    Set<SchemaField> tried = new LinkedHashSet<>();
    Set<SchemaField> effective = new HashSet<>();
    Set<SchemaField> broken = new HashSet<>();
    int count = 0;
    int reported = 0;
    Verdict start = judge(Map.of());
    if (start.violations().isEmpty()) {
      Workload ask = object.createdAnd(new NamedStep("ask the server", changes::ask));
      Outcome asked = run(ask, CALM, 0, calm.normalizer());
      if (!asked.violations().isEmpty()) {
        throw new IllegalStateException(String.join("\n", asked.violations()));
      }
    } else {
      findings.add(finding(Map.of(), start));
    }
    for (Change change : changes.accepted) {
      boolean enough = runs >= most || findings.size() >= settings.mostFailures;
      if (enough || change.fields().stream().anyMatch(broken::contains)) {
        continue;
      }
      count++;
      tried.addAll(change.fields());
      Verdict verdict = judge(change.patch());
      reported += verdict.reported() ? 1 : 0;
      effective.addAll(verdict.effect() ? change.fields() : List.of());
      if (!verdict.violations().isEmpty()) {
        broken.addAll(change.fields());
        Map<String, Object> least = shrink(change.patch(), verdict.oracle());
        Finding finding = finding(least, least == change.patch() ? verdict : judge(least));
        if (findings.stream().noneMatch(known -> known.change().equals(finding.change()))) {
          findings.add(finding);
        }
      }
    }
    List<SchemaField> missed = new ArrayList<>(changes.fields);
    missed.removeAll(tried);
    List<SchemaField> whole = new ArrayList<>(missed);
    whole.removeIf(field -> tried.stream().anyMatch(one -> one.isBelow(field)));
    missed.removeIf(field -> whole.stream().anyMatch(field::isBelow));
    return new ExplorationResult(
        List.copyOf(findings),
        runs,
        changes.fields.size(),
        tried.size(),
        missed.stream().map(String::valueOf).toList(),
        tried.stream().filter(field -> !effective.contains(field)).map(String::valueOf).toList(),
        count,
        changes.refused,
        reported);
  }

  Finding replay(Map<String, ?> change) {
    return finding(change, judge(change));
  }

  /** Returns the patch with the fewest fields that still violates an oracle. */
  private Map<String, Object> shrink(Map<String, Object> patch, String oracle) {
    Map<String, Object> start = ExploredObject.asMap(object.start().content());
    for (Map<String, Object> fewer : ExploredChanges.smaller(patch, start)) {
      if (!fewer.isEmpty() && judge(fewer).oracle().equals(oracle)) {
        return shrink(fewer, oracle);
      }
    }
    return patch;
  }

  private Finding finding(Map<String, ?> change, Verdict verdict) {
    List<String> before = object.start().toYaml().lines().toList();
    List<String> after = object.with(change).toYaml().lines().toList();
    int same = 0;
    while (same < Math.min(before.size(), after.size())
        && before.get(same).equals(after.get(same))) {
      same++;
    }
    int rest = 0;
    while (rest < Math.min(before.size(), after.size()) - same
        && before.get(before.size() - 1 - rest).equals(after.get(after.size() - 1 - rest))) {
      rest++;
    }
    List<String> diff = new ArrayList<>();
    before.subList(0, same).forEach(line -> diff.add("  " + line));
    before.subList(same, before.size() - rest).forEach(line -> diff.add("- " + line));
    after.subList(same, after.size() - rest).forEach(line -> diff.add("+ " + line));
    before.subList(before.size() - rest, before.size()).forEach(line -> diff.add("  " + line));
    return new Finding(
        Unstructured.of(change).toJson(), diff, verdict.violations(), verdict.history());
  }

  // ---- the oracles

  private Outcome run(Workload workload, Plan plan, long salt, Normalizer normalizer) {
    runs++;
    return new Run(settings, workload, plan, salt, normalizer, Set.of()).execute();
  }

  /** Tries a change; if it fails, once more with all that varies without a fault. */
  private Verdict judge(Map<String, ?> change) {
    SimulatedRun start = calm.calm();
    if (!start.passed()) {
      return new Verdict("start", start.violations(), start.history(), true, false);
    }
    Verdict verdict = judge(change, calm.normalizer());
    if (verdict.violations().isEmpty()) {
      return verdict;
    }
    Workload created = object.created(change, new HashSet<>());
    Outcome one = run(created, CALM, 0, calm.normalizer());
    Outcome other = run(created, CALM, 1, calm.normalizer());
    return judge(change, calm.normalizer(one.rests(), other.rests()));
  }

  private Verdict judge(Map<String, ?> change, Normalizer normalizer) {
    Set<String> refused = new HashSet<>();
    Outcome changed = run(object.changedAndBack(change, refused), CALM, 0, normalizer);
    if (refused.contains(ExploredObject.CHANGE)) {
      return new Verdict(
          "refused", List.of("the server refuses it"), changed.history(), false, false);
    }
    if (!changed.violations().isEmpty()) {
      return new Verdict("run", changed.violations(), changed.history(), true, false);
    }
    boolean fails = !changed.failingAtRest().get(1).isEmpty();
    List<Fault> probes =
        Stream.of(Kind.DELETE_EVERYTHING, Kind.DELETE_CHILDREN)
            .limit(fails ? 1 : 2)
            .filter(kind -> !settings.without.contains(kind))
            .map(kind -> Fault.of(kind, 1))
            .toList();
    Outcome fresh = run(object.created(change, refused), new Plan(0, probes), 0, normalizer);
    List<String> history = new ArrayList<>(changed.history());
    history.add("--- and in a fresh cluster: ---");
    history.addAll(fresh.history());
    if (fresh.rests().isEmpty()) {
      return new Verdict("fresh", fresh.violations(), history, true, false);
    }
    Snapshot first = rest(changed, 0);
    Snapshot second = rest(changed, 1);
    boolean isOnlyForUpdates = refused.contains(ExploredObject.CREATE); // Nothing to compare.
    Snapshot alone = isOnlyForUpdates ? second : rest(fresh, 0);
    Map<String, String> failures = changed.failingAtRest().get(1);
    Set<String> reports = new HashSet<>(object.reports(second));
    reports.removeAll(object.reports(first));
    reports.retainAll(object.reports(alone));
    boolean reported = fails || !reports.isEmpty();
    Map<String, List<String>> violations = new LinkedHashMap<>();
    violations.put(
        "failing",
        failing(
            failures,
            isOnlyForUpdates ? failures : fresh.failingAtRest().get(0),
            differs(object.status(second), object.status(first), normalizer)));
    if (!refused.contains(ExploredObject.CHANGE_BACK)) {
      Map<String, String> still = changed.failingAtRest().get(2);
      if (!still.isEmpty()) {
        violations.put(
            "recovery", List.of("after the change back, reconciles still fail: " + still));
      }
      violations.put(
          "rollback", differences("after the change back ", rest(changed, 2), first, normalizer));
    }
    if (!reported && !settings.without.contains(Kind.FRESH_CLUSTER)) {
      violations.put(
          "transition",
          differences("after the change, unlike in a fresh cluster, ", second, alone, normalizer));
    }
    violations.put("fresh", fresh.violations());
    violations.values().removeIf(List::isEmpty);
    String oracle = violations.isEmpty() ? "" : violations.keySet().iterator().next();
    return new Verdict(
        oracle,
        violations.getOrDefault(oracle, List.of()),
        history,
        fails || differs(object.withoutSpec(second), object.withoutSpec(first), normalizer),
        reported);
  }

  private static Snapshot rest(Outcome outcome, int step) {
    return outcome.rests().get(step).orElseThrow();
  }

  /** Returns which reconciles fail at rest that should not. */
  private static List<String> failing(
      Map<String, String> after, Map<String, String> alone, boolean reported) {
    if (!after.keySet().equals(alone.keySet())) {
      return List.of(
          "these reconciles fail after the change: " + after + ", in a fresh cluster: " + alone);
    }
    return after.entrySet().stream()
        .filter(one -> !reported || BUG.matcher(one.getValue()).matches())
        .map(
            one ->
                "the last reconcile of %s has failed at a valid value%s: %s"
                    .formatted(
                        one.getKey(),
                        reported ? "" : ", and the status does not say so",
                        one.getValue()))
        .toList();
  }

  private static boolean differs(Snapshot one, Snapshot other, Normalizer normalizer) {
    return !one.differencesFrom(other, normalizer::texts).isEmpty();
  }

  private List<String> differences(
      String when, Snapshot actual, Snapshot expected, Normalizer normalizer) {
    return actual.differencesFrom(expected, normalizer::texts).stream()
        .filter(text -> settings.remaining.stream().noneMatch(one -> one.matcher(text).find()))
        .map(text -> when + text)
        .toList();
  }
}
