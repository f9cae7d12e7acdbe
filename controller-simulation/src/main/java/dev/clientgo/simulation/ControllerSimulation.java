package dev.clientgo.simulation;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.IncidentReplay;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.Invariant;
import dev.clientgo.simulation.workload.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a controller against the embedded API server in simulated time, with crashes, lost answers
 * and unseen events, and compares each run with one without faults.
 *
 * <pre>{@code
 * ControllerSimulation.of(process -> process.run(controllerOf(process)))
 *     .step("create", client -> client.resource(Foo.TYPE).create(foo))
 *     .step("delete", client -> client.resource(Foo.TYPE).inNamespace("default").delete("foo"))
 *     .atRest("each foo has one pod", state -> …)
 *     .seeds(1, 100)
 *     .run()
 *     .assertPassed();
 * }</pre>
 *
 * <p>First there is a run without faults. It must be right by itself: each specification holds
 * {@link #atRest}, no reconcile fails at the end of a step, a second run is equal, a fresh cluster
 * comes to the same state, what the controller has made comes back if a user deletes or edits it,
 * and goes when everything is deleted. {@link #without} leaves out some of that.
 *
 * <p>Then each fault happens at each place of that run, one at a time; then come random plans, one
 * for each seed. A run has failed if
 *
 * <ul>
 *   <li>a specification, an {@linkplain #always invariant} or a step fails;
 *   <li>the state after a step differs from that of the run without faults, apart from UIDs,
 *       versions, times, field managers, generated names, random values and {@linkplain #ignoring
 *       ignored fields};
 *   <li>the controller deletes an object that lives on without faults, and creates it again;
 *   <li>after a crash, a lost answer, a conflict or a repeated reconcile, it has created or deleted
 *       an object more often than without;
 *   <li>it writes an object again and again without a change, or never comes to rest;
 *   <li>a reconcile fails at last that succeeds without faults, or throws an {@link Error};
 *   <li>a process writes that does not hold the lease, if the controller elects leaders;
 *   <li>a thread is not from {@link SimulatedProcess#threads}, or blocks outside its clock.
 * </ul>
 *
 * <p>A plan that fails is shrunk to the least faults that still fail. The same plan always leads to
 * the same run, on each JVM, provided that the controller takes its clock, its threads and its
 * randomness from {@link SimulatedProcess}. If it does not, the run without faults fails and shows
 * where.
 *
 * <p>Not safe for use by many threads.
 */
public final class ControllerSimulation {

  /**
   * The system property that names a directory for the histories of runs without faults. The first
   * JVM writes them; each later one that runs the same tests in the same order compares its own.
   */
  public static final String HISTORIES = "clientgo.simulation.histories";

  private final Settings settings;

  /** Has run the plan without faults; null before the first run, and after a change of settings. */
  private @Nullable Search search;

  private ControllerSimulation(ControllerSetup setup) {
    settings = new Settings(requireNonNull(setup, "setup"));
  }

  /** Returns a simulation of a controller, without a workload. */
  public static ControllerSimulation of(ControllerSetup setup) {
    return new ControllerSimulation(setup);
  }

  /**
   * Returns the replay of an incident that an {@link dev.clientgo.controller.IncidentRecorder} has
   * written in production: of the real reconcilers, on what they received.
   *
   * @param controllers as the program builds them, not started
   * @throws IOException if it is no incident, of another version, not complete, or damaged
   */
  public static IncidentReplay replay(Path incident, Controller... controllers) throws IOException {
    return IncidentReplay.of(incident, controllers);
  }

  /**
   * Adds a step that prepares the cluster before the controller starts: definitions, namespaces.
   */
  public ControllerSimulation prepare(Step step) {
    settings.preparations.add(requireNonNull(step, "step"));
    return changed();
  }

  /**
   * Adds a controller that plays a part of the cluster, such as one that makes pods ready. No fault
   * hits it, and its writes are not counted.
   */
  public ControllerSimulation environment(ControllerSetup setup) {
    settings.environment.add(requireNonNull(setup, "setup"));
    return changed();
  }

  /**
   * Adds a further controller that is tested together with the first one. It has a process of its
   * own, and faults hit it too.
   */
  public ControllerSimulation together(ControllerSetup setup) {
    settings.together.add(requireNonNull(setup, "setup"));
    return changed();
  }

  /**
   * Adds a step of the workload. It begins when all is at rest after the step before.
   *
   * @param name names it in the history
   */
  public ControllerSimulation step(String name, Step step) {
    settings.steps.add(
        new Settings.NamedStep(requireNonNull(name, "name"), requireNonNull(step, "step")));
    return changed();
  }

  /**
   * Adds a specification: a condition that must hold whenever all is at rest, after the start and
   * after each step. The run without faults must fulfil it too.
   *
   * @param name says what must hold, as in {@code "each shop has a password"}
   */
  public ControllerSimulation atRest(String name, Invariant condition) {
    settings.atRest.put(requireNonNull(name, "name"), requireNonNull(condition, "condition"));
    return changed();
  }

  /** Adds a condition that must hold after each change in the cluster. */
  public ControllerSimulation always(String name, Invariant condition) {
    settings.always.put(requireNonNull(name, "name"), requireNonNull(condition, "condition"));
    return changed();
  }

  /**
   * Leaves out all plans with some kinds of faults, such as {@link Kind#EDIT_CHILDREN} for a
   * controller that lets users edit what it has made.
   */
  public ControllerSimulation without(Kind... kinds) {
    settings.without.addAll(List.of(kinds));
    return changed();
  }

  /**
   * Sets names of objects that may differ from run to run, in a way that two runs without faults do
   * not show.
   *
   * @param patterns regular expressions for whole names, as in {@code "token-[0-9]+"}
   */
  public ControllerSimulation names(String... patterns) {
    return add(settings.names, patterns);
  }

  /**
   * Sets objects that may remain, or change, when the user has deleted everything.
   *
   * @param patterns regular expressions for a part of the resource, the namespace and the name, as
   *     in {@code "configmaps default/registry"}
   */
  public ControllerSimulation remaining(String... patterns) {
    return add(settings.remaining, patterns);
  }

  /**
   * Sets keys whose reconcile may fail while all is at rest and there are no faults, as one that
   * waits for the user by failing.
   *
   * @param patterns regular expressions for whole keys, as in {@code "default/.*"}
   */
  public ControllerSimulation failing(String... patterns) {
    return add(settings.failing, patterns);
  }

  /**
   * Sets what may happen outside the simulation, such as a thread that writes logs.
   *
   * @param patterns regular expressions for a part of the report, as in {@code "AsyncAppender"}
   */
  public ControllerSimulation outside(String... patterns) {
    return add(settings.outside, patterns);
  }

  /**
   * Leaves fields out of the comparison of final states.
   *
   * @param paths the names of the fields from the object on, as in {@code status.attempts}
   */
  public ControllerSimulation ignoring(String... paths) {
    settings.ignored.addAll(List.of(paths));
    return changed();
  }

  /** Sets how many processes of the controller run, for leader election. Default: 1. */
  public ControllerSimulation processes(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least one process: " + count);
    }
    settings.processes = count;
    return changed();
  }

  /**
   * Sets how often in a row the controller may write an object without changing it, before that
   * counts as a loop. Server-side apply is not counted. Default: 3.
   */
  public ControllerSimulation unchangedWrites(int most) {
    settings.unchangedWrites = most;
    return changed();
  }

  /**
   * Sets how long nothing must change until all counts as at rest, in simulated time. It must be
   * longer than the delays of the controller that matter. Default: 5 minutes; or, while nothing
   * happens but that leases are renewed, and no thread waits for anything else, twice the duration
   * of a lease and 10 s.
   */
  public ControllerSimulation quiet(Duration quiet) {
    if (quiet.isNegative() || quiet.isZero()) {
      throw new IllegalArgumentException("the quiet time must be positive: " + quiet);
    }
    settings.quiet = quiet;
    settings.endsEarly = false;
    return changed();
  }

  /**
   * Sets whether the cluster deletes objects whose owners are gone, as a garbage collector does.
   * Default: true.
   */
  public ControllerSimulation garbageCollection(boolean on) {
    settings.garbageCollection = on;
    return changed();
  }

  /** Sets whether to try each fault at each place. Default: true. */
  public ControllerSimulation systematic(boolean systematic) {
    settings.systematic = systematic;
    return changed();
  }

  /**
   * Sets how many plans with each fault at each place to try at most; those of crashes, lost
   * answers and unseen events come first. {@link SimulationResult#leftOut} is the number of those
   * left out. Default: 2000.
   */
  public ControllerSimulation mostSystematic(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("the number of plans must not be negative: " + count);
    }
    settings.mostSystematic = count;
    return changed();
  }

  /** Sets the seeds of random plans; none if the last is less than the first. Default: 1 to 50. */
  public ControllerSimulation seeds(long first, long last) {
    if (first < 1) {
      throw new IllegalArgumentException("seed 0 is the run without chance; the first is 1");
    }
    settings.firstSeed = first;
    settings.lastSeed = last;
    return changed();
  }

  /** Sets after how many failures to stop. Default: 10. */
  public ControllerSimulation mostFailures(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one failure stops the search: " + count);
    }
    settings.mostFailures = count;
    return changed();
  }

  private ControllerSimulation add(List<Pattern> to, String... patterns) {
    Arrays.stream(patterns).map(Pattern::compile).forEach(to::add);
    return changed();
  }

  /** The run without faults may now differ. */
  private ControllerSimulation changed() {
    search = null;
    return this;
  }

  /** Runs all plans, or until there are {@linkplain #mostFailures enough} failures. */
  public SimulationResult run() {
    Search all = new Search(settings);
    all.search();
    search = all;
    return all.result();
  }

  /**
   * Tries other orders of what happens at the same simulated time, without other faults: each
   * change of one choice of the run without faults first, then changes of two choices, and so on. A
   * choice is not changed again in a state in which that was tried, by a hash of the cluster and of
   * all that the processes have done and seen. It is meant for controllers {@link #together}.
   *
   * @param bound the number of orders to try at most
   */
  public ExploredOrders exploreOrders(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("at least one order must be tried: " + bound);
    }
    return new Search(settings).exploreOrders(bound);
  }

  /**
   * Returns all plans, the one without faults first. Runs that one, because the others depend on
   * it; if it fails, it is the only one.
   */
  public List<Plan> plans() {
    List<Plan> plans = new ArrayList<>(List.of(Plan.of(0)));
    plans.addAll(search().plans());
    return List.copyOf(plans);
  }

  /**
   * Runs one plan. If it fails, looks for the least faults that still fail, and returns that run.
   *
   * @param plan one of {@link #plans}, or another
   */
  public SimulatedRun check(Plan plan) {
    return search().attempt(plan);
  }

  /**
   * Runs one plan again, without shrinking it.
   *
   * @param plan the text form of a plan, as in a failure
   * @throws IllegalArgumentException if the text is not a plan
   */
  public SimulatedRun replay(String plan) {
    return search().replay(Plan.parse(plan));
  }

  /**
   * Returns an exploration of the fields of an object by the schema of its kind, with these
   * settings but without the steps. What the object needs, and its definition, belong in {@link
   * #prepare}. Rules in CEL need {@code dev.cel:cel} on the class path.
   *
   * @param type a custom resource; {@code Unstructured.type} has one without generated classes
   * @param start a valid object that its controller can serve; the more fields it has, the better
   *     are the values that are tried
   */
  public <T extends KubernetesObject> Exploration explore(ResourceType<T> type, T start) {
    Unstructured given = Unstructured.from(type.codec(), start);
    requireNonNull(given.metadata().name(), "the object must have a name");
    // As YAML it has its fields in the order of their names, which in a Map.of is any.
    Unstructured object = Unstructured.parseYaml(given.toYaml()).get(0);
    String namespace = Objects.requireNonNullElse(object.metadata().namespace(), "default");
    return new Exploration(
        settings,
        new ExploredObject(
            type.resource(),
            type.isNamespaced() ? namespace : "",
            object.withType(type.kind().apiVersion(), type.kind().kind())));
  }

  /** Returns the search that has run the plan without faults by these settings. */
  private Search search() {
    Search known = search;
    if (known == null) {
      known = new Search(settings);
      search = known;
    }
    return known;
  }
}
