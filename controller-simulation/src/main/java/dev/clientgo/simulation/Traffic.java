package dev.clientgo.simulation;

import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.threads.Strays;
import dev.clientgo.simulation.internal.traffic.Call;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.internal.traffic.Control;
import dev.clientgo.simulation.internal.traffic.Delivery;
import dev.clientgo.simulation.internal.traffic.Fate;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Decides how long the requests and events of a run take, and which faults hit them. */
final class Traffic implements Control {

  private static final Duration SLOW = Duration.ofSeconds(30);
  private static final Duration PARTITION = Duration.ofMinutes(1);

  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  /** An event that a process does not see: its lists wait until the object has changed again. */
  private record Hold(Client client, String resource, String object) {}

  /** A leader that cannot renew its lease until a time in nanoseconds, or until another leads. */
  private record Deposed(Client leader, long until) {}

  private final World world;
  private final History history;
  private final Random random;
  private final Processes processes;
  private final WriteChecks checks;
  private final Runnable onChange;
  private final List<Hold> holds = new ArrayList<>();
  private @Nullable Deposed deposed;

  /** The process that gets no answer before the next step is taken; null if there is none. */
  private @Nullable Client interrupted;

  private int requests;
  private int writes;
  private int events;

  /**
   * Creates an instance that has seen no traffic.
   *
   * @param random chooses how long things take
   * @param onChange runs after each change in the cluster
   */
  Traffic(World world, Random random, Processes processes, WriteChecks checks, Runnable onChange) {
    this.world = world;
    this.history = world.history();
    this.random = random;
    this.processes = processes;
    this.checks = checks;
    this.onChange = onChange;
  }

  int requests() {
    return requests;
  }

  int writes() {
    return writes;
  }

  int events() {
    return events;
  }

  // ---- hidden events

  /** Returns whether an event is hidden from a process. */
  boolean hidesAnEvent() {
    return !holds.isEmpty();
  }

  /** Lets the processes see all that was hidden from them. */
  void showAll() {
    if (!holds.isEmpty()) {
      holds.clear();
      history.add("simulation", "no later change hides the event, it can be seen now");
      history.activity();
    }
  }

  /** Returns whether the next step begins at this moment. */
  boolean beginsTheNextStep() {
    return interrupted != null;
  }

  /** Lets the process continue that has waited for the next step. */
  void stepTaken() {
    Client waiting = interrupted;
    interrupted = null;
    if (waiting != null) {
      waiting.releaseAnswer();
    }
  }

  /** Forgets the events that were hidden from a process, which has ended. */
  void forget(Client client) {
    holds.removeIf(hold -> hold.client() == client);
  }

  private boolean sees(Hold hold, Call call, String object) {
    boolean sees = hold.resource().equals(call.resource()) && hold.object().equals(object);
    if (sees) {
      history.add("simulation", hold.client() + " sees " + object + " again, in its new state");
    }
    return sees;
  }

  // ---- requests

  @Override
  public Duration latency(Client client) {
    return world.plan().seed() == 0 || processes.find(client) == null
        ? Duration.ofMillis(1)
        : Duration.ofMillis(
            random.nextInt(50) == 0 ? 100 + random.nextInt(2000) : 1 + random.nextInt(5));
  }

  @Override
  public Duration held(Call call) {
    ControllerProcess process = processes.find(call.process());
    if (process == null) {
      return Duration.ZERO;
    }
    long partitioned = process.partitionedUntil() - world.scheduler().now();
    if (partitioned > 0) {
      return Duration.ofNanos(partitioned);
    }
    if (call.isOfLease() && isDeposed(call.process())) {
      return ONE_SECOND;
    }
    boolean follows = call.isWatch() || call.request().verb().equals("list");
    String resource = call.resource();
    boolean held =
        follows
            && holds.stream()
                .anyMatch(
                    hold -> hold.client() == call.process() && hold.resource().equals(resource));
    return held ? ONE_SECOND : Duration.ZERO; // Then it is tried again.
  }

  /** Returns whether a process has lost its lease, and none holds it yet. */
  private boolean isDeposed(Client client) {
    return deposed != null
        && deposed.leader() == client
        && deposed.until() > world.scheduler().now();
  }

  /** If another process has taken the lease, lets the old leader get its answer at this moment. */
  private void changeLeader() {
    if (deposed != null && checks.leadsAnotherThan(deposed.leader().toString())) {
      Client before = deposed.leader();
      deposed = null;
      before.releaseAnswer();
    }
  }

  /** Returns whether a process is cut off the server or off its lease. */
  boolean isCutOff(ControllerProcess process) {
    return process.partitionedUntil() > world.scheduler().now() || isDeposed(process.client);
  }

  @Override
  public Fate arrived(Call call) {
    ControllerProcess process = processes.find(call.process());
    Fate pass = Fate.pass(Duration.ZERO);
    if (process == null
        || !process.underTest
        || WriteChecks.isUnimportant(call.request().resource())) {
      return pass;
    }
    FaultPlan faults = world.faults();
    int request = ++requests;
    if (faults.strikes(Kind.CONNECTION_REFUSED, request)) {
      return fate(Fate.Kind.REFUSE, 0);
    }
    if (faults.strikes(Kind.SERVER_ERROR, request)) {
      return fate(Fate.Kind.ANSWER, 500);
    }
    if (faults.strikes(Kind.TOO_MANY_REQUESTS, request)) {
      return fate(Fate.Kind.ANSWER, 429);
    }
    if (process.staleVersion != null
        && !process.anyVersionOnly
        && call.isWatch()
        && !call.request().query("sendInitialEvents").isEmpty()) {
      return fate(Fate.Kind.ANSWER, 422); // The client lists instead.
    }
    Fate fate = call.isWrite() ? written(process, call) : pass;
    if (fate.kind() == Fate.Kind.PASS && faults.strikes(Kind.SLOW_REQUEST, request)) {
      history.add("FAULT", call.describe() + " takes " + SLOW);
      return Fate.pass(SLOW);
    }
    return fate;
  }

  private Fate written(ControllerProcess process, Call call) {
    processes.works(process);
    FaultPlan faults = world.faults();
    int write = ++writes;
    boolean changes =
        call.request().verb().equals("update") || call.request().verb().equals("patch");
    if (faults.strikes(Kind.CRASH_BEFORE_WRITE, write)) {
      return fate(Fate.Kind.DIE_BEFORE, 0);
    }
    if (faults.strikes(Kind.CRASH_AFTER_WRITE, write)) {
      return fate(Fate.Kind.DIE_AFTER, 0);
    }
    if (changes && faults.strikes(Kind.CONFLICT, write)) {
      return fate(Fate.Kind.ANSWER, 409);
    }
    if (faults.strikes(Kind.LOST_ANSWER, write)) {
      return fate(Fate.Kind.LOSE_ANSWER, 0);
    }
    if (faults.strikes(Kind.REFUSED_WRITE, write)) {
      return fate(Fate.Kind.ANSWER, 403);
    }
    if (faults.strikes(Kind.PARTITION, write)) {
      history.add("FAULT", process.client + " cannot reach the server for " + PARTITION);
      process.partition(world.scheduler().now() + PARTITION.toNanos());
      return Fate.pass(PARTITION);
    }
    if (!process.onStop.isEmpty() && faults.strikes(Kind.TERMINATE, write)) {
      history.add("FAULT", process.client + " is asked to stop before " + call.describe());
      processes.terminate(process);
    }
    if (checks.elects(process) && faults.strikes(Kind.SHARD_MOVES, write)) {
      history.add("FAULT", "one more process starts before " + call.describe());
      processes.startAnother(process.setup);
    }
    if (faults.strikes(Kind.EARLY_STEP, write)) {
      history.add("FAULT", "the next step begins after " + call.describe());
      interrupted = process.client;
      return fate(Fate.Kind.HOLD_ANSWER, 0);
    }
    if (checks.leads(process.client.toString()) && faults.strikes(Kind.LEADER_CHANGE, write)) {
      history.add(
          "FAULT",
          process.client
              + " cannot renew its lease, and gets no answer to "
              + call.describe()
              + " before another process leads");
      deposed = new Deposed(process.client, world.scheduler().now() + Fate.LONGEST_HOLD.toNanos());
      return fate(Fate.Kind.HOLD_ANSWER, 0);
    }
    return Fate.pass(Duration.ZERO);
  }

  private static Fate fate(Fate.Kind kind, int code) {
    return new Fate(kind, Duration.ZERO, code);
  }

  @Override
  public void failed(Call call, String problem) {
    history.add("FAULT", call.process() + " " + call.describe() + ": " + problem);
    history.activity();
  }

  @Override
  public void die(Client client, String when) {
    processes.die(client, when);
  }

  @Override
  public void carriedOut(Call call, int code, byte[] body) {
    ApiRequest request = call.request();
    history.learns(call.process().toString(), Arrays.hashCode(body));
    if (!WriteChecks.isUnimportant(request.resource()) && !call.isWatch()) {
      history.add(call.process().toString(), call.describe() + " -> " + code);
      if (call.isWrite() && world.plan().faults().isEmpty()) {
        String sent = call.request().bodyText();
        history.detail(sent, Strays.stack(Thread.currentThread().getStackTrace()));
      }
    }
    if (call.isWrite() && code < 300) {
      ControllerProcess process = processes.find(call.process());
      Optional<String> changed = checks.written(call, code, body, process);
      if (changed.isPresent()) {
        holds.removeIf(hold -> sees(hold, call, changed.get()));
        onChange.run();
      }
      changeLeader();
    }
  }

  @Override
  public URI rewrite(Call call, URI url) {
    ControllerProcess process = processes.find(call.process());
    if (process == null
        || process.staleVersion == null
        || !call.request().verb().equals("list")
        || (process.anyVersionOnly && !call.request().query("resourceVersion").equals("0"))
        || !process.listed.add(call.resource())) {
      return url;
    }
    history.add(process.client.toString(), "gets an old list of " + call.resource());
    String query = url.getRawQuery() == null ? "" : url.getRawQuery();
    StringBuilder changed = new StringBuilder();
    for (String parameter : query.split("&", -1)) {
      if (!parameter.isEmpty() && !parameter.startsWith("resourceVersion")) {
        changed.append(parameter).append('&');
      }
    }
    changed.append("resourceVersion=").append(process.staleVersion);
    changed.append("&resourceVersionMatch=Exact");
    String text = url.toString();
    int mark = text.indexOf('?');
    return URI.create((mark < 0 ? text : text.substring(0, mark)) + "?" + changed);
  }

  // ---- events

  @Override
  public Fate left(Delivery delivery) {
    ControllerProcess process = processes.find(delivery.process());
    Duration delay = delay(process);
    if (process == null || !process.underTest || !delivery.isChange() || isUnimportant(delivery)) {
      return Fate.pass(delay);
    }
    FaultPlan faults = world.faults();
    int event = ++events;
    if (faults.strikes(Kind.UNSEEN_EVENT, event)) {
      holds.add(new Hold(delivery.process(), delivery.resource(), delivery.object()));
      history.add("FAULT", delivery.process() + " will not see " + delivery.describe());
      return new Fate(Fate.Kind.EXPIRE, delay, 0);
    }
    if (faults.strikes(Kind.WATCH_CUT, event)) {
      return interrupted(delivery, "breaks", new Fate(Fate.Kind.CUT, delay, 0));
    }
    if (faults.strikes(Kind.EXPIRED, event)) {
      return interrupted(delivery, "expires", new Fate(Fate.Kind.EXPIRE, delay, 0));
    }
    if (faults.strikes(Kind.LATE_EVENT, event)) {
      history.add("FAULT", delivery.describe() + " is late by " + SLOW);
      history.activity();
      return Fate.pass(SLOW);
    }
    return Fate.pass(delay);
  }

  private Fate interrupted(Delivery delivery, String how, Fate fate) {
    history.add(
        "FAULT",
        "the watch of " + delivery.process() + " " + how + " before " + delivery.describe());
    return fate;
  }

  private Duration delay(@Nullable ControllerProcess process) {
    Duration delay =
        Duration.ofMillis(
            world.plan().seed() == 0
                ? 2
                : random.nextInt(30) == 0 ? 100 + random.nextInt(3000) : 1 + random.nextInt(20));
    if (process == null) {
      return delay;
    }
    long late = process.eventsDelayedUntil() - world.scheduler().now();
    return late > delay.toNanos() ? Duration.ofNanos(late) : delay;
  }

  @Override
  public void delivered(Delivery delivery) {
    ControllerProcess process = processes.find(delivery.process());
    if (process == null || !delivery.isChange() || isUnimportant(delivery)) {
      return;
    }
    history.activity();
    history.add(delivery.process().toString(), "sees " + delivery.describe());
    String cause = delivery.describe();
    process.noteCause(delivery.object(), cause);
    history.learns(delivery.process().toString(), delivery.version().hashCode());
    int slash = delivery.object().indexOf('/');
    String prefix = slash < 0 ? "" : delivery.object().substring(0, slash + 1);
    delivery.owners().forEach(owner -> process.noteCause(prefix + owner, cause));
  }

  private static boolean isUnimportant(Delivery delivery) {
    String resource = delivery.resource();
    int dot = resource.indexOf('.');
    return WriteChecks.isUnimportant(dot < 0 ? resource : resource.substring(0, dot));
  }
}
