package dev.clientgo.simulation;

import dev.clientgo.clock.CrashLog;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.threads.Scheduler;
import dev.clientgo.simulation.internal.threads.ThreadOwner;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.workload.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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

  /** How long a reconcile that has failed may wait to be tried again. */
  private static final Duration QUIET_WHILE_FAILING = Duration.ofMinutes(30);

  private final Settings settings;
  private final World world;
  private final Scheduler scheduler;
  private final History history;
  private final ThreadOwner serverOwner;
  private final EmbeddedApiServer server;
  private final WriteChecks checks;
  private final Processes processes;
  private final Traffic traffic;
  private final Client user;
  private final RESTClient userClient;
  private final @Nullable GarbageCollector collector;
  private final List<Optional<Snapshot>> rests = new ArrayList<>();
  private final List<Integer> changesByStep = new ArrayList<>();

  private volatile boolean stepDone = true;
  private volatile @Nullable Throwable stepFailure;

  Run(Settings settings, Plan plan) {
    this.settings = settings;
    Random random = new Random(plan.seed() * 31 + 7);
    scheduler = new Scheduler(size -> plan.seed() == 0 ? 0 : random.nextInt(size));
    history = new History(scheduler::now);
    world = new World(settings, plan, new FaultPlan(plan), scheduler, history);
    serverOwner = scheduler.newOwner("server");
    server =
        EmbeddedApiServer.builder()
            .listen(false)
            .clock(serverOwner.clock())
            .threadFactory(serverOwner)
            .random(new Random(plan.seed()))
            .start();
    ServerState state = new ServerState(server);
    checks = new WriteChecks(world, state);
    processes = new Processes(world, this::connect, this::ended);
    traffic = new Traffic(world, random, processes, checks, this::changed);
    user = connect(scheduler.newOwner("user"));
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
      processes.startAll();
      boolean goesOn = comeToRest("the start");
      for (int i = 0; goesOn && i < settings.steps.size(); i++) {
        goesOn = take(i + 1, settings.steps.get(i));
      }
      while (goesOn && traffic.hidesAnEvent()) { // Another fault may hide an event that is shown.
        traffic.showAll();
        goesOn = comeToRest("the last step");
        if (!rests.isEmpty()) {
          rests.set(rests.size() - 1, Optional.of(snapshot()));
        }
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
      runStep(step);
      while (!stepDone && scheduler.step()) {
        // Until the step is done.
      }
      if (stepFailure != null) {
        throw new IllegalStateException("the cluster could not be prepared", stepFailure);
      }
    }
    history.add("user", "prepared the cluster");
  }

  private boolean take(int number, Settings.NamedStep step) {
    history.add("user", "--- step " + number + ": " + step.name() + " ---");
    checks.beginStep();
    String name = "step " + number + " (" + step.name() + ")";
    runStep(step.step());
    boolean goesOn = comeToRest(name);
    if (goesOn && stepFailure != null && traffic.hidesAnEvent()) {
      history.add("user", "the step failed while an event is hidden: it is tried again");
      traffic.showAll();
      goesOn = comeToRest(name);
      runStep(step.step());
      goesOn = goesOn && comeToRest(name);
    }
    if (stepFailure != null) {
      history.violate(name + " failed: " + stepFailure);
    }
    goesOn = goesOn && restartStale(number);
    changesByStep.add(checks.changes().size());
    rests.add(traffic.hidesAnEvent() ? Optional.empty() : Optional.of(snapshot()));
    return goesOn;
  }

  private boolean restartStale(int step) {
    Optional<Fault> stale = world.faults().staleRestart(step);
    List<String> changes = checks.changes();
    if (stale.isEmpty() || stale.get().view() > changes.size()) {
      return true;
    }
    traffic.showAll();
    Snapshot before = snapshot();
    String version = changes.get(stale.get().view() - 1);
    for (ControllerProcess process : processes.all()) {
      if (process.underTest) {
        history.add("FAULT", stale.get() + ": " + process.client + " restarts with an old view");
        processes.restart(process, version);
      }
    }
    boolean goesOn = comeToRest("the stale restart after step " + step);
    before
        .replaced(snapshot())
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
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Throwable e) {
                // An Error too, such as that of a failed assertion: the step must not pass.
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
    for (int i = 0; i < MAX_SWITCHES; i++) {
      if (stepDone && isAtRest(start)) {
        return true;
      }
      if (!scheduler.step()) {
        return true;
      }
      boolean late = scheduler.now() - start > settings.longestStep.toNanos();
      if (late || checks.writesOfStep() > MAX_WRITES) {
        history.violate(
            "it does not come to rest after "
                + after
                + (late
                    ? ": it still changes objects after " + settings.longestStep
                    : ": more than " + MAX_WRITES + " writes"));
        return false;
      }
    }
    history.violate("it does not come to rest after " + after + ": its threads never stop");
    return false;
  }

  private boolean isAtRest(long start) {
    if (traffic.hidesAnEvent()) {
      return scheduler.now() - start > STEP_WHILE_HIDDEN.toNanos();
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
        && processes.all().stream().noneMatch(traffic::isCutOff)
        && scheduler.onlyLeasesMoveUntil(end, longest, serverOwner);
  }

  private Snapshot snapshot() {
    return Snapshot.of(checks.objects(), settings.ignored);
  }

  private Outcome outcome() {
    return new Outcome(
        world.plan(),
        history.violations(),
        history.lines(),
        rests,
        changesByStep,
        processes.failing(),
        checks.creates(),
        checks.deletes(),
        traffic.requests(),
        traffic.writes(),
        traffic.events(),
        processes.reconciles(),
        !checks.leaseDuration().isZero(),
        checks.changes());
  }
}
