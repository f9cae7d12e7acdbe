package dev.clientgo.leaderelection.shard;

import static dev.clientgo.leaderelection.SimulatedWorld.MILLIS;
import static dev.clientgo.leaderelection.SimulatedWorld.SECONDS;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.SimulatedWorld;
import dev.clientgo.leaderelection.SimulatedWorld.Weather;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.shard.SimulatedLeases.Change;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process with one member of the group of a {@link ShardSimulation}: its work, its network and
 * its watch.
 */
final class SimulatedMember implements Membership.Listener {

  static final LeaseLock GROUP = LeaseLock.of("shop", "cart");
  private static final String HANDED_OVER = "it goes to another member";

  private final ShardSimulation world;
  private final String name;
  final SimulatedWorld.DriftingClock clock;
  private final Set<ShardWork> working = new HashSet<>();
  private SortedSet<Integer> expected = new TreeSet<>();
  String identity;
  private @Nullable Membership membership;

  /** Grows with each start. An event of an earlier life does nothing. */
  private int life;

  boolean alive;
  boolean left;

  /** Whether the process can do the work of slots, as one whose caches are filled. */
  boolean ready;

  long pausedUntil;
  long cutOffUntil;

  /** Grows with each call of the rules. The wake-up of an earlier call does nothing. */
  private long turn;

  /** Grows with each watch, so that events of an earlier one are lost. */
  private int watch;

  private boolean connected;
  private int delivered;

  SimulatedMember(ShardSimulation world, String name) {
    this.world = world;
    clock = world.new DriftingClock();
    this.name = name;
    this.identity = name;
  }

  Membership rules() {
    if (membership == null) {
      throw new IllegalStateException("not started: " + this);
    }
    return membership;
  }

  boolean isAlive() {
    return alive;
  }

  int slotCount() {
    return rules().slots().acting().size();
  }

  /** Starts the process, with an empty memory, if it does not run. */
  void boot() {
    if (alive) {
      return;
    }
    if (world.weather == Weather.STORM && world.chance(0.5)) {
      identity = name + '-' + world.random.nextInt(1000);
    }
    world.tell(() -> this + " starts");
    alive = true;
    left = false;
    life++;
    working.clear();
    ShardSettings settings = new ShardSettings(GROUP, identity, world.timings, world.slots);
    membership = new Membership(settings, world.rules, clock, world.random, this);
    delivered = 0;
    int born = life;
    ready = true;
    if (world.weather == Weather.STORM && world.chance(0.3)) {
      ready(false);
      world.after(world.between(0, 5 * SECONDS), () -> readyLater(born));
    }
    connect();
    world.after(world.between(0, SECONDS), () -> work(born));
  }

  void crash() {
    if (!alive) {
      return;
    }
    world.tell(() -> this + " crashes");
    rules().slots().acting().forEach(slot -> world.idleSince.putIfAbsent(slot, world.now));
    alive = false;
    life++;
    working.clear();
    if (world.weather == Weather.STORM) {
      world.after(world.between(0, 20 * SECONDS), this::boot);
    }
  }

  void pause(long duration) {
    world.tell(() -> this + " pauses for " + duration / MILLIS + " ms");
    pausedUntil = Math.max(pausedUntil, world.now + duration);
  }

  void cutOff(long duration) {
    world.tell(() -> this + " is cut off for " + duration / MILLIS + " ms");
    cutOffUntil = world.now + duration;
    breakWatch();
  }

  void leave() {
    if (alive && world.now >= pausedUntil && !left) {
      world.tell(() -> this + " is told to leave");
      left = true;
      rules().leave();
      turn();
    }
  }

  private void readyLater(int born) {
    whenAwake(
        0,
        born,
        () -> {
          ready(true);
          turn();
        });
  }

  void ready(boolean isReady) {
    world.tell(() -> this + (isReady ? " is ready" : " is not ready"));
    ready = isReady;
    rules().ready(isReady);
  }

  /** Cannot do the work of slots for a while. */
  void falter() {
    if (alive && world.now >= pausedUntil && ready) {
      int born = life;
      ready(false);
      turn();
      world.after(world.between(0, 20 * SECONDS), () -> readyLater(born));
    }
  }

  // ---- work

  /** Begins some work now and then, most of it short. */
  private void work(int born) {
    if (!alive || life != born) {
      return;
    }
    world.after(world.between(0, SECONDS), () -> work(born));
    if (world.now < pausedUntil) {
      return;
    }
    String uid = world.uids.get(world.random.nextInt(world.uids.size()));
    rules()
        .slots()
        .begin(uid, () -> {}, this::finished)
        .ifPresent(
            begun -> {
              working.add(begun);
              boolean hangs = world.weather == Weather.STORM && world.chance(0.02);
              finish(begun, hangs ? 60 * SECONDS : world.between(0, 2 * SECONDS), born);
            });
  }

  private void finish(ShardWork work, long delay, int born) {
    world.after(
        delay,
        () -> {
          if (alive && life == born) {
            if (world.now < pausedUntil) {
              finish(work, pausedUntil - world.now, born);
            } else {
              work.close();
            }
          }
        });
  }

  private void finished(ShardWork work) {
    working.remove(work);
    if (rules().slots().ended(work)) {
      turn();
    }
  }

  // ---- turns of the rules

  private void turn() {
    long current = ++turn;
    Agenda.Todo todo = rules().advance();
    todo.requests().forEach(this::send);
    if (rules().hasLeft()) {
      gone();
      return;
    }
    long pause = clock.real(Duration.ofNanos(Math.max(0, todo.wakeAt() - clock.nanoTime())));
    whenAwake(
        pause,
        life,
        () -> {
          if (turn == current) {
            turn();
          }
        });
  }

  private void gone() {
    world.tell(() -> this + " has left");
    alive = false;
    life++;
    if (world.weather == Weather.STORM) {
      world.after(world.between(0, 20 * SECONDS), this::boot);
    }
  }

  /** Does something when the process is not paused, if it still lives then. */
  private void whenAwake(long delay, int born, Runnable action) {
    world.after(
        delay,
        () -> {
          if (!alive || life != born) {
            return;
          }
          if (world.now < pausedUntil) {
            whenAwake(pausedUntil - world.now + world.between(0, MILLIS), born, action);
          } else {
            action.run();
          }
        });
  }

  // ---- the network

  private void send(LeaseRequest request) {
    int born = life;
    Consumer<Answer> receiver =
        answer ->
            whenAwake(
                0,
                born,
                () -> {
                  rules().answer(request, answer);
                  turn();
                });
    if (world.isLost(cutOffUntil)) {
      world.tell(() -> this + " sends in vain " + SimulatedLeases.describe(request));
      return;
    }
    world.after(world.latency(world.timings.leaseDuration()), () -> arrive(request, receiver));
    if (world.weather == Weather.STORM && world.chance(0.02)) {
      world.after(
          world.latency(world.timings.leaseDuration()) * 2,
          () -> arrive(request, answer -> {})); // A second time, late.
    }
  }

  private void arrive(LeaseRequest request, Consumer<Answer> receiver) {
    if (world.now < world.downUntil) {
      if (world.chance(0.5)) {
        Answer down = new Answer.Failed(new IllegalStateException("the server is down"));
        world.after(world.latency(world.timings.leaseDuration()), () -> receiver.accept(down));
      }
      return;
    }
    int before = world.leases.version();
    Answer answer = world.leases.apply(request);
    world.tell(
        () ->
            "the server answers %s of %s: %s"
                .formatted(
                    SimulatedLeases.describe(request), this, SimulatedLeases.describe(answer)));
    if (world.leases.version() > before) {
      world.members.forEach(SimulatedMember::changed);
    }
    if (!world.isLost(cutOffUntil)) {
      world.after(world.latency(world.timings.leaseDuration()), () -> receiver.accept(answer));
    }
  }

  // ---- the watch

  /** Ends the watch; another begins a little later. */
  void breakWatch() {
    if (alive) {
      connect();
    }
  }

  private void connect() {
    connected = false;
    int current = ++watch;
    int born = life;
    whenAwake(
        world.between(10 * MILLIS, world.timings.retryPeriod().toNanos()),
        born,
        () -> {
          if (current != watch) {
            return;
          }
          if (world.now < cutOffUntil || world.now < world.downUntil) {
            connect();
          } else {
            list();
          }
        });
  }

  /** Reads all Leases: from a cache of the server, which may be old. */
  private void list() {
    boolean old = world.weather == Weather.STORM && world.chance(0.3);
    int version = Math.max(0, world.leases.version() - (old ? world.random.nextInt(30) : 0));
    Map<String, Lease> listed = world.leases.at(version);
    Set<String> known = new TreeSet<>(world.leases.at(delivered).keySet());
    known.removeAll(listed.keySet());
    world.tell(() -> this + " lists at version " + version);
    delivered = version;
    connected = true;
    listed.values().forEach(lease -> rules().seen(lease));
    known.forEach(lost -> rules().gone(lost));
    rules().synced();
    turn();
    changed();
  }

  /** The server has another version, of which a watch hears after a while. */
  void changed() {
    if (!alive) {
      return;
    }
    int current = watch;
    int upTo = world.leases.version();
    whenAwake(world.between(MILLIS, 50 * MILLIS), life, () -> deliver(current, upTo));
  }

  private void deliver(int current, int upTo) {
    if (current != watch || !connected || upTo <= delivered) {
      return;
    }
    for (Change change : List.copyOf(world.leases.changes(delivered, upTo))) {
      if (change.lease() == null) {
        rules().gone(change.name());
      } else {
        rules().seen(change.lease());
      }
    }
    delivered = upTo;
    turn();
  }

  // ---- what the rules tell

  @Override
  public void expects(SortedSet<Integer> slotsExpected) {
    expected = slotsExpected;
  }

  @Override
  public void taken(SortedSet<Integer> slotsTaken) {
    world.tell(() -> this + " takes " + Slots.text(slotsTaken));
    if (!ready) {
      throw new AssertionError(this + " takes slots although it is not ready" + world.text());
    }
    if (!expected.containsAll(slotsTaken)) {
      throw new AssertionError(this + " has not expected all slots that it takes" + world.text());
    }
    world.taken += slotsTaken.size();
    world.checkTaken(this, slotsTaken);
    slotsTaken.forEach(world::gapEnds);
  }

  @Override
  public void left(SortedSet<Integer> slotsLeft, String reason) {
    world.tell(() -> this + " leaves " + Slots.text(slotsLeft) + ": " + reason);
    slotsLeft.forEach(slot -> world.idleSince.putIfAbsent(slot, world.now));
    List<ShardWork> ended =
        working.stream().filter(work -> slotsLeft.contains(work.slot())).toList();
    working.removeAll(ended);
    if (reason.equals(HANDED_OVER)) {
      world.handedOver += slotsLeft.size();
      ended.forEach(this::checkHasDrained);
    }
  }

  private void checkHasDrained(ShardWork work) {
    long drained = clock.nanoTime() - work.term().drainingSince;
    if (!work.term().draining || drained < world.timings.leaseDuration().toNanos()) {
      throw new AssertionError(
          "%s has cut work in slot %d short at %d ms%s"
              .formatted(this, work.slot(), world.now / MILLIS, world.text()));
    }
  }

  @Override
  public void lost(ShardWork work) {}

  @Override
  public void failed(LeaseRequest request, Answer.Failed answer) {}

  @Override
  public void problem(String problem) {
    if (!world.leases.strips) {
      throw new AssertionError(problem);
    }
  }

  @Override
  public String toString() {
    return identity;
  }
}
