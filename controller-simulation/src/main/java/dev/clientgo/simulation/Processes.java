package dev.clientgo.simulation;

import dev.clientgo.clock.CrashLog;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.threads.ThreadOwner;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.ExternalService;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a run: starts them, kills them and starts them again, as a cluster does with
 * pods, and observes their reconciles.
 */
final class Processes implements SimulatedProcess.Observer {

  /** How long a process stays away after its first end; twice as long after each further one. */
  private static final Duration RESTART = Duration.ofSeconds(1);

  /** How much longer it stays away if it was asked to stop: a stand-by may take over first. */
  private static final Duration REPLACEMENT = Duration.ofSeconds(5);

  private static final Duration LONGEST_RESTART = Duration.ofMinutes(5);
  private static final Duration SLOW_HANDLER = Duration.ofSeconds(30);

  /** How late the events are while a key is delivered a second time. */
  private static final Duration REPEAT_BEFORE_EVENTS = Duration.ofSeconds(1);

  /** How late events reach a process that has restarted with an old view. */
  private static final Duration STALE = Duration.ofSeconds(10);

  /** How long a process may take to stop. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final Duration AHEAD = Duration.ofMinutes(10);
  private static final int FAST = 120;

  private final World world;
  private final History history;
  private final Function<ThreadOwner, Client> connect;
  private final Consumer<Client> onEnd;
  private final BiFunction<Client, String, ExternalService> services;
  private final Map<Client, ControllerProcess> running = new LinkedHashMap<>();
  private final Map<Integer, Integer> incarnations = new HashMap<>();

  /**
   * The errors of the reconciles that have failed last, by the process, the handler and the key.
   */
  private final Map<String, String> failing = new TreeMap<>();

  /** The controllers that have not reconciled, written or called a service. */
  private final Set<ControllerSetup> idle = new HashSet<>();

  private int reconciles;
  private boolean stops;

  /**
   * Creates an instance without processes.
   *
   * @param onEnd called when a process ends
   * @param services returns an external service, as one process calls it
   */
  Processes(
      World world,
      Function<ThreadOwner, Client> connect,
      Consumer<Client> onEnd,
      BiFunction<Client, String, ExternalService> services) {
    this.world = world;
    this.history = world.history();
    this.services = services;
    this.connect = connect;
    this.onEnd = onEnd;
  }

  /** Starts the environment and the controller. */
  void startAll() {
    Settings settings = world.settings();
    idle.addAll(settings.together);
    idle.add(settings.setup);
    for (int i = 0; i < settings.environment.size(); i++) {
      start(-1 - i, settings.environment.get(i), false, null);
    }
    for (int i = 1; i <= settings.processes; i++) {
      start(i, settings.setup, true, null);
    }
    for (int i = 0; i < settings.together.size(); i++) {
      start(settings.processes + 1 + i, settings.together.get(i), true, null);
    }
  }

  @Nullable ControllerProcess find(Client client) {
    return running.get(client);
  }

  List<ControllerProcess> all() {
    return List.copyOf(running.values());
  }

  /** Returns the errors of the reconciles that have failed and did not succeed afterwards. */
  Map<String, String> failing() {
    Map<String, String> all = new TreeMap<>();
    failing.forEach((key, error) -> all.put(key.substring(key.indexOf(' ') + 1), error));
    return all;
  }

  /** Notes that the controller of a process does something. */
  void works(ControllerProcess process) {
    idle.remove(process.setup);
  }

  /** Returns whether a controller has done nothing. */
  boolean hasIdle() {
    return !idle.isEmpty();
  }

  int reconciles() {
    return reconciles;
  }

  boolean stops() {
    return stops;
  }

  @Override
  public ExternalService service(Client client, String name) {
    return services.apply(client, name);
  }

  // ---- life and death

  private void start(
      int slot, ControllerSetup setup, boolean underTest, @Nullable String staleVersion) {
    int incarnation = incarnations.merge(slot, 1, Integer::sum);
    String name =
        (underTest ? "controller-" + slot : "environment-" + -slot)
            + (incarnation == 1 ? "" : "." + incarnation);
    Client client = connect.apply(world.scheduler().newOwner(name));
    ControllerProcess process = new ControllerProcess(slot, client, setup, underTest, staleVersion);
    driftClock(process);
    if (staleVersion != null) {
      process.delayEvents(world.scheduler().now() + STALE.toNanos());
    }
    running.put(client, process);
    history.add(name, "starts");
    history.activity();
    SimulatedProcess simulated =
        new SimulatedProcess(
            this, client, world.salt() + world.plan().seed() * 1009 + 31L * slot + incarnation);
    client.owner().newThread(() -> main(process, simulated)).start();
  }

  private void driftClock(ControllerProcess process) {
    for (Fault fault : process.underTest ? world.plan().faults() : List.<Fault>of()) {
      boolean ahead = fault.kind() == Kind.CLOCK_AHEAD;
      if (fault.at() == process.slot && (ahead || fault.kind() == Kind.FAST_CLOCK)) {
        world.faults().strikes(fault.kind(), fault.at());
        String how = ahead ? " is 10 minutes ahead" : " runs 20 % fast";
        history.add("FAULT", "the clock of " + process.client + how);
        process.client.owner().driftClock(ahead ? AHEAD : Duration.ZERO, ahead ? 100 : FAST);
      }
    }
  }

  /** Starts one more process of a controller. */
  void startAnother(ControllerSetup setup) {
    int slot = 1 + world.settings().allProcesses();
    world.scheduler().urgently(() -> start(slot, setup, true, null));
  }

  private void main(ControllerProcess process, SimulatedProcess simulated) {
    Client client = process.client;
    String end = null;
    try {
      process.setup.start(simulated);
      if (client.owner().isCurrentThreadTheLast()) {
        end = "it has returned, and no thread is left";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // An Error too: it ends a process just as an exception does.
      end = CrashLog.printable(e).toString();
    }
    if (end != null && !process.stopping && !client.owner().isDead()) {
      history.add(client.toString(), "ends: " + end);
      if (!process.underTest) {
        history.violate("the " + client + " has ended: " + end);
      } else if (world.plan().faults().isEmpty()) {
        history.violate("the controller has ended without a fault: " + end);
      }
      world.scheduler().urgently(() -> restart(process, null));
    }
  }

  /** Lets a process die after the current step of its thread. */
  void die(Client client, String when) {
    ControllerProcess process = running.get(client);
    if (process != null) {
      history.add("FAULT", client + " crashes " + when);
      world.scheduler().urgently(() -> restart(process, null));
    }
  }

  /** Shows a process an older state: after a restart, or while it runs. Called by the driver. */
  void goBack(ControllerProcess process, String version, Fault fault) {
    boolean restarts = fault.kind() == Kind.STALE_RESTART;
    String how = restarts ? " restarts with an old view" : " gets a server that is behind";
    history.add("FAULT", fault + ": " + process.client + how);
    if (restarts) {
      restart(process, version);
    } else {
      process.delayEvents(world.scheduler().now() + STALE.toNanos());
      process.goBack(version);
      history.activity();
    }
  }

  @Override
  public void onStop(Client client, AutoCloseable action) {
    ControllerProcess process = running.get(client);
    if (process != null && process.underTest) {
      stops = true;
      process.onStop.add(action);
    }
  }

  /** Asks a process to stop, lets it stop in its own threads, and starts it again. */
  void terminate(ControllerProcess process) {
    Client client = process.client;
    process.stopping = true;
    world.scheduler().after(GRACE, () -> restart(process, null));
    client
        .owner()
        .newThread(
            () -> {
              for (AutoCloseable action : process.onStop) {
                try {
                  action.close();
                } catch (InterruptedException e) {
                  return; // It was killed.
                } catch (Throwable e) {
                  note(client, "its end failed: " + CrashLog.printable(e));
                  if (e instanceof Error && !client.owner().isDead()) { // As in a reconcile.
                    world.history().violate("the end of a process threw " + CrashLog.printable(e));
                  }
                }
              }
              note(client, "has stopped");
              if (!client.owner().isDead()) {
                world.scheduler().urgently(() -> restart(process, null));
              }
            })
        .start();
  }

  /**
   * Kills a process and starts it again after a while. Called by the driver.
   *
   * @param staleVersion the version that the lists of the next process show at first; null for the
   *     latest
   */
  void restart(ControllerProcess process, @Nullable String staleVersion) {
    if (running.remove(process.client) == null) {
      return;
    }
    world.scheduler().kill(process.client.owner());
    process.client.closeAll();
    failing.keySet().removeIf(key -> key.startsWith(process.client + " "));
    onEnd.accept(process.client);
    history.activity();
    int ends = incarnations.getOrDefault(process.slot, 1);
    long seconds =
        Math.min(LONGEST_RESTART.toSeconds(), RESTART.toSeconds() << Math.min(ends - 1, 20));
    world
        .scheduler()
        .after(
            Duration.ofSeconds(seconds).plus(process.stopping ? REPLACEMENT : Duration.ZERO),
            () -> start(process.slot, process.setup, process.underTest, staleVersion));
  }

  /** Kills all processes for good. */
  void killAll() {
    all().forEach(process -> world.scheduler().kill(process.client.owner()));
  }

  // ---- reconciles

  @Override
  public <T> T reconcile(
      Client client, String handler, String key, Callable<T> work, SimulatedProcess.Again<T> again)
      throws Exception {
    ControllerProcess process = running.get(client);
    if (process == null || client.owner().isDead()) {
      throw new InterruptedException("the process has died");
    }
    works(process);
    FaultPlan faults = world.faults();
    int number = process.underTest ? ++reconciles : 0;
    Set<String> causes = process.causes.remove(key);
    note(
        client,
        "reconcile " + key + ", because of " + (causes == null ? "a retry or a timer" : causes));
    if (faults.strikes(Kind.SLOW_HANDLER, number)) {
      history.add("FAULT", "this reconcile of " + key + " is slow: " + SLOW_HANDLER);
      client.owner().clock().sleep(SLOW_HANDLER);
    }
    T result = attempt(client, handler, key, work);
    if (faults.strikes(Kind.REPEATED_RECONCILE, number)) {
      history.add("FAULT", key + " is delivered a second time, before its events");
      process.delayEvents(world.scheduler().now() + REPEAT_BEFORE_EVENTS.toNanos());
      result = again.after(result, () -> attempt(client, handler, key, work));
    }
    return result;
  }

  private <T> T attempt(Client client, String handler, String key, Callable<T> work)
      throws Exception {
    String id = client + " " + handler + key;
    try {
      T result = work.call();
      if (!client.owner().isDead() && failing.remove(id) != null) {
        history.activity(); // It has recovered: what it does next may come later.
      }
      note(client, "reconciled " + key + ": " + result);
      return result;
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // The end of a process or of its leadership interrupts it: that is no failure.
      if (!client.owner().isDead() && !isInterruption(e)) {
        failing.put(id, CrashLog.printable(e).toString());
      }
      note(client, "reconcile " + key + " failed: " + CrashLog.printable(e));
      if (e instanceof Error && !client.owner().isDead()) {
        // A failed assertion, for instance: a bug, also if the next attempt succeeds.
        history.violate("the reconcile of " + key + " threw " + CrashLog.printable(e));
      }
      throw e;
    }
  }

  private static boolean isInterruption(Throwable error) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    for (Throwable cause = error; cause != null && !interrupted; cause = cause.getCause()) {
      interrupted =
          cause instanceof InterruptedException || cause instanceof InterruptedIOException;
    }
    return interrupted;
  }

  private void note(Client client, String what) {
    if (!client.owner().isDead()) {
      history.add(client.toString(), what);
    }
  }
}
