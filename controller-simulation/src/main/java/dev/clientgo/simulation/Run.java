package dev.clientgo.simulation;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.simulation.Settings.Workload;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.internal.threads.Scheduler;
import dev.clientgo.simulation.internal.threads.ThreadOwner;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.ExternalService;
import dev.clientgo.simulation.workload.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of a simulation: the server, the processes, the workload and the faults of a plan. */
final class Run {

  private static final int MAX_SWITCHES = 500_000;
  private static final int MAX_WRITES = 500;

  /**
   * How long a step takes while an event is hidden, at rest or not: in a cluster, no event stays
   * unseen for long, and until it is seen a correct controller may fight the garbage collector.
   */
  private static final Duration STEP_WHILE_HIDDEN = Duration.ofSeconds(10);

  /** How long leases must move alone, beyond twice their duration, until all is at rest. */
  private static final Duration ONLY_LEASES = Duration.ofSeconds(10);

  /**
   * How long a reconcile that has failed may wait to be tried again: all the delays of the default
   * rate limiter up to the longest, and that once more.
   */
  private static final Duration QUIET_WHILE_FAILING = Duration.ofHours(1);

  /** The name of the user in the history. */
  private static final String USER = Authors.USER;

  /** How much later a run with other random numbers begins: all that depends on time differs. */
  private static final Duration LATER = Duration.ofSeconds(3_456_789);

  private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Settings settings;
  private final Workload workload;
  private final World world;
  private final Orders orders;
  private final Scheduler scheduler;
  private final History history;
  private final ThreadOwner serverOwner;
  private final EmbeddedApiServer server;
  private final WriteChecks checks;
  private final Processes processes;
  private final Services services;
  private final Traffic traffic;
  private final Client user;
  private final RESTClient userClient;
  private final @Nullable GarbageCollector collector;
  private final List<Optional<Snapshot>> rests = new ArrayList<>();
  private final List<Integer> changesByStep = new ArrayList<>();
  private final List<Map<String, String>> failingAtRest = new ArrayList<>();

  private final List<List<String>> children = new ArrayList<>();

  /** The steps that begin at rest, whatever the plan is. */
  private final Set<Integer> calmSteps;

  private Duration longestStep;
  private int early;
  private volatile boolean stepDone = true;
  private volatile @Nullable Throwable stepFailure;

  /**
   * Creates a run.
   *
   * @param salt makes the random numbers and the time others than those of a replay; 0 usually
   * @param calmSteps the steps that begin at rest, with all events seen
   */
  Run(
      Settings settings,
      Workload workload,
      Plan plan,
      long salt,
      Normalizer normalizer,
      Set<Integer> calmSteps) {
    this.settings = settings;
    this.workload = workload;
    this.calmSteps = calmSteps;
    this.longestStep = settings.longestStep;
    Random random = new Random(plan.seed() * 31 + 7);
    FaultPlan faults = new FaultPlan(plan);
    orders = new Orders(plan, faults, random, settings.recordsOrders, this::state);
    scheduler = new Scheduler(orders::choose, ORIGIN.plus(LATER.multipliedBy(salt)), this::stray);
    history = new History(scheduler::now);
    world = new World(settings, plan, faults, scheduler, history, salt, normalizer);
    serverOwner = scheduler.newOwner("server");
    server =
        EmbeddedApiServer.builder()
            .listen(false)
            .clock(serverOwner.clock())
            .threadFactory(serverOwner)
            .random(new Random(plan.seed() + salt))
            .start();
    ServerState state = new ServerState(server);
    checks = new WriteChecks(world, state);
    processes = new Processes(world, this::connect, this::ended, this::service);
    services = new Services(world, processes);
    traffic = new Traffic(world, random, processes, checks, this::changed);
    user = connect(scheduler.newOwner(USER));
    userClient = client(user);
    if (settings.garbageCollection) {
      Client client = connect(scheduler.newOwner("collector"));
      collector = new GarbageCollector(scheduler, client.owner(), client(client), checks::objects);
    } else {
      collector = null;
    }
  }

  private Client connect(ThreadOwner owner) {
    return new Client(scheduler, owner, serverOwner, server.connection(), traffic);
  }

  private static RESTClient client(Client connection) {
    RestConfig config = RestConfig.builder("http://simulation.test").connection(connection).build();
    return RESTClient.builder(config)
        .clock(connection.owner().clock())
        .random(new Random(1))
        .build();
  }

  private ExternalService service(Client client, String name) {
    return services.of(client, name);
  }

  private void ended(Client client) {
    traffic.forget(client);
  }

  private void changed() {
    if (collector != null) {
      collector.collectSoon();
    }
  }

  // ---- the course of a run

  Outcome execute() {
    try {
      prepare();
      int fresh = 0;
      for (int i = 1; i <= workload.steps().size(); i++) {
        fresh = world.faults().strikes(Kind.FRESH_CLUSTER, i) ? i : fresh;
      }
      boolean goesOn = fresh > 0 ? startAfter(fresh) : startAndTakeSteps();
      // Another fault may hide an event that is shown.
      while (goesOn && (traffic.hidesAnEvent() || traffic.beginsTheNextStep())) {
        traffic.showAll();
        traffic.stepTaken();
        goesOn = comeToRest("the last step");
        if (!rests.isEmpty()) {
          rests.set(rests.size() - 1, Optional.of(snapshot()));
        }
      }
      scheduler.checkThreads();
      if (world.plan().faults().isEmpty() && !workload.steps().isEmpty() && processes.hasIdle()) {
        stray("a controller does nothing: no reconcile, no write and no call of a service");
      }
      if (!world.faults().left().isEmpty()) {
        history.add("simulation", "these faults did not happen: " + world.faults().left());
      }
      return outcome();
    } finally {
      processes.killAll();
      scheduler.kill(user.owner());
      if (collector != null) {
        collector.close();
      }
      scheduler.kill(serverOwner);
      server.close();
    }
  }

  private void prepare() {
    for (Step step : settings.preparations) {
      takeAlone(step);
      if (stepFailure != null) {
        throw new IllegalStateException("the cluster could not be prepared", stepFailure);
      }
    }
    history.add(USER, "prepared the cluster");
    checks.authors().prepared();
  }

  /** Takes a step while no controller runs. */
  private void takeAlone(Step step) {
    runStep(step);
    while (!stepDone && scheduler.step()) {
      // Until the step is done.
    }
  }

  private boolean startAfter(int step) {
    for (int i = 0; i < step; i++) {
      Settings.NamedStep one = workload.steps().get(i);
      history.add(USER, "--- step " + (i + 1) + ", without a controller: " + one.name() + " ---");
      takeAlone(one.step());
      if (stepFailure != null) {
        history.add(
            USER, "it needs the controller, so there is nothing to compare: " + stepFailure);
        return false;
      }
      rests.add(Optional.empty());
    }
    processes.startAll();
    boolean goesOn = comeToRest("the start");
    rests.set(rests.size() - 1, Optional.of(snapshot()));
    return goesOn;
  }

  private boolean startAndTakeSteps() {
    processes.startAll();
    boolean goesOn = comeToRest("the start");
    Snapshot before = snapshot();
    List<Kind> probes =
        List.of(
            Kind.AWAIT_TIMERS, Kind.DELETE_CHILDREN, Kind.EDIT_CHILDREN, Kind.DELETE_EVERYTHING);
    orders.begin();
    for (int i = 0; goesOn && i < workload.steps().size(); i++) {
      goesOn = take(i + 1, workload.steps().get(i));
      boolean probed = false;
      for (Kind kind : probes) {
        if (goesOn && world.faults().strikes(kind, i + 1)) {
          probe(kind, before);
          probed = true;
        }
      }
      goesOn = goesOn && !probed; // The next steps were not meant for what is there now.
    }
    return goesOn;
  }

  private void probe(Kind kind, Snapshot before) {
    Probes probes = new Probes(world, checks, this::snapshot, this::takeAtRest);
    switch (kind) {
      case DELETE_CHILDREN -> probes.deleteChildren();
      case EDIT_CHILDREN -> probes.editChildren();
      case DELETE_EVERYTHING -> probes.deleteEverything(before);
      default -> {
        longestStep = longestStep.plus(Probes.LONGEST_TIMER.multipliedBy(2));
        probes.awaitTimers(this::lastTimer, user.owner().clock());
      }
    }
  }

  /** Takes a step of a probe; returns false if all does not come to rest. */
  private boolean takeAtRest(String name, Step step) {
    history.add(USER, "--- " + name + " ---");
    checks.beginStep();
    runStep(step);
    boolean goesOn = comeToRest(name);
    if (stepFailure != null) {
      history.add(USER, "it is refused: " + stepFailure);
    }
    return goesOn;
  }

  private boolean take(int number, Settings.NamedStep step) {
    String name = "step " + number + " (" + step.name() + ")";
    if (calmSteps.contains(number)) {
      traffic.showAll();
      traffic.stepTaken();
      comeToRest("the step before " + name);
    }
    boolean isEarly = traffic.hidesAnEvent() || traffic.beginsTheNextStep();
    history.add(USER, "--- step " + number + ": " + step.name() + " ---");
    checks.beginStep();
    runStep(step.step());
    boolean goesOn = comeToRest(name);
    if (stepFailure != null && isEarly) {
      history.add(USER, "it fails before all is at rest: " + stepFailure);
      early = number;
      return false;
    }
    if (stepFailure != null) {
      history.violate(name + " failed: " + stepFailure);
    }
    goesOn = goesOn && restartStale(number);
    changesByStep.add(checks.changes().size());
    boolean atRest = goesOn && !traffic.hidesAnEvent() && !traffic.beginsTheNextStep();
    Optional<Snapshot> rest = atRest ? Optional.of(snapshot()) : Optional.empty();
    rests.add(rest);
    failingAtRest.add(failing());
    children.add(
        rest.map(
                now ->
                    checks.authors().children(now.names()).stream().map(String::valueOf).toList())
            .orElse(List.of()));
    return goesOn;
  }

  private int state() {
    return Objects.hash(checks.stateHash(), history.knowledge());
  }

  private void stray(String problem) {
    if (!settings.mayBeOutside(problem)) {
      history.violate(problem + Replays.OPT_OUT);
    }
  }

  private boolean restartStale(int step) {
    Optional<Fault> stale =
        world
            .faults()
            .find(Kind.STALE_RESTART, step)
            .or(() -> world.faults().find(Kind.OLDER_SERVER, step));
    List<String> changes = checks.changes();
    if (stale.isEmpty()) {
      return true;
    }
    if (stale.get().view() > changes.size()) {
      history.add("simulation", "there is no such state to show: " + stale.get());
      return true;
    }
    traffic.showAll();
    Snapshot before = snapshot();
    String version = changes.get(stale.get().view() - 1);
    for (ControllerProcess process : processes.all()) {
      if (process.underTest) {
        processes.goBack(process, version, stale.get());
      }
    }
    boolean goesOn = comeToRest("the old view after step " + step);
    before
        .replaced(snapshot(), world.normalizer()::key)
        .forEach(
            key ->
                history.violate(
                    "it has deleted " + key + " because of an old view, and created it again"));
    return goesOn;
  }

  private void runStep(Step step) {
    stepDone = false;
    stepFailure = null;
    history.activity();
    user.owner()
        .newThread(
            () -> {
              try {
                step.run(userClient);
              } catch (Throwable e) {
                // An Error too, such as that of a failed assertion, and an interruption.
                stepFailure = CrashLog.printable(e);
              } finally {
                stepDone = true;
                history.activity();
              }
            })
        .start();
  }

  /** Lets time pass until nothing happens any more; returns false if that never comes. */
  private boolean comeToRest(String after) {
    long start = scheduler.now();
    history.activity();
    boolean waits = traffic.beginsTheNextStep(); // A process waits for this step.
    for (int i = 0; i < MAX_SWITCHES; i++) {
      if (stepDone && waits) {
        waits = false;
        traffic.stepTaken();
      }
      if (stepDone && traffic.beginsTheNextStep()) {
        return true;
      }
      if ((stepDone && isAtRest(start)) || !scheduler.step()) {
        atRest(after);
        return true;
      }
      boolean late = scheduler.now() - start > longestStep.toNanos();
      if (late || checks.writesOfStep() > MAX_WRITES) {
        String how =
            late
                ? ": it still changes objects after " + longestStep
                : ": more than " + MAX_WRITES + " writes";
        history.violate("it does not come to rest after " + after + how);
        return false;
      }
    }
    history.violate("it does not come to rest after " + after + ": its threads never stop");
    return false;
  }

  /** Checks what must hold whenever all is at rest. */
  private void atRest(String after) {
    scheduler.checkThreads();
    if (traffic.hidesAnEvent()) {
      return; // The controller cannot know of it.
    }
    checks.checkAtRest(after);
    if (world.plan().faults().isEmpty() && !workload.mayFail()) {
      failing()
          .forEach(
              (key, error) ->
                  history.violate(
                      "the last reconcile of %s at rest after %s has failed: %s; if it may, say so by failing(key)"
                          .formatted(key, after, error)));
    }
  }

  /** Returns the errors of the reconciles that have failed last, apart from those that may. */
  private Map<String, String> failing() {
    Map<String, String> failing = processes.failing();
    failing
        .keySet()
        .removeIf(key -> settings.failing.stream().anyMatch(one -> one.matcher(key).matches()));
    return failing;
  }

  private boolean isAtRest(long start) {
    if (traffic.hidesAnEvent()) {
      return scheduler.now() - start > STEP_WHILE_HIDDEN.toNanos();
    }
    if (processes.all().stream().anyMatch(traffic::isCutOff)) {
      history.activity(); // It continues later.
      return false;
    }
    boolean waits =
        settings.quiet.compareTo(QUIET_WHILE_FAILING) < 0 && !processes.failing().isEmpty();
    Duration quiet = waits ? QUIET_WHILE_FAILING : settings.quiet;
    return history.quietNanos() > quiet.toNanos() || onlyLeasesMove(quiet);
  }

  /**
   * Returns whether all is at rest before the quiet time has passed, because a leader renews its
   * lease and others look at it, and the threads wait only for that. Each renewal costs real time.
   * In twice the duration of a lease, another process would have taken it.
   */
  private boolean onlyLeasesMove(Duration quiet) {
    Duration lease = checks.leaseDuration();
    Duration longest = lease.multipliedBy(2).plus(ONLY_LEASES);
    long end = scheduler.now() - history.quietNanos() + quiet.toNanos();
    return settings.endsEarly
        && !lease.isZero()
        && history.quietNanos() > longest.toNanos()
        && scheduler.onlyLeasesMoveUntil(end, longest, serverOwner);
  }

  /** Returns when the last timer of the controller is due that may be for something. */
  private long lastTimer() {
    long last = scheduler.now() + Probes.LONGEST_TIMER.toNanos();
    return processes.all().stream()
        .filter(process -> process.underTest)
        .mapToLong(process -> scheduler.lastTimer(process.client.owner(), last))
        .max()
        .orElse(0);
  }

  private Snapshot snapshot() {
    Map<GroupVersionResource, List<Unstructured>> all = checks.objects();
    all.putAll(services.objects());
    return new Snapshot(all);
  }

  private Outcome outcome() {
    return new Outcome(
        world.plan(),
        history.violations(),
        history.lines(),
        history.trace(),
        rests,
        changesByStep,
        processes.failing(),
        failingAtRest,
        checks.creates(),
        checks.deletes(),
        traffic.requests(),
        traffic.writes(),
        traffic.events(),
        processes.reconciles(),
        services.calls(),
        processes.stops(),
        !checks.leaseDuration().isZero(),
        checks.changes(),
        children,
        orders.points(),
        early);
  }
}
