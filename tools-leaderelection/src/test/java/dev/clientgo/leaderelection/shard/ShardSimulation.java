package dev.clientgo.leaderelection.shard;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.SimulatedWorld;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.shard.MemberRequest.Answer;
import dev.clientgo.leaderelection.shard.SimulatedLeases.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group in one thread: members with clocks of their own, a network, watches that break and show
 * old states, a server, and a seed that decides all that goes wrong. {@link Membership} runs in it
 * as it is; only {@link ShardDriver} is replaced, by {@link SimulatedMember}.
 *
 * <p>Whenever a member begins to act for a slot, the world asks all others that live whether they
 * would let a write for the slot through, and whether they have cut work in it short. Members that
 * are paused are asked too, because they could go on at any moment.
 */
final class ShardSimulation extends SimulatedWorld {

  private static final LeaseLock GROUP = LeaseLock.of("shop", "cart");
  private static final String HANDED_OVER = "it goes to another member";

  private final SafetyRules rules;
  private final LeaseTimings timings;
  private final Slots slots;
  private final List<SimulatedMember> members = new ArrayList<>();
  private final SimulatedLeases leases = new SimulatedLeases();
  private final List<String> uids; // One of each slot.

  /** Since when no member acts for a slot, for {@link #longestGap}. */
  private final Map<Integer, Long> idleSince = new TreeMap<>();

  private long downUntil;
  private int taken;
  private int handedOver;
  private Duration longestGap = Duration.ZERO;

  ShardSimulation(long seed, Weather weather, int size, SafetyRules rules) {
    super(seed, weather);
    this.rules = rules;
    long[][] choices = {{15_000, 10_000, 2_000}, {15_000, 14_000, 1_000}, {4_000, 3_000, 500}};
    long[] chosen = choices[random.nextInt(choices.length)];
    timings =
        new LeaseTimings(
            Duration.ofMillis(chosen[0]),
            Duration.ofMillis(chosen[1]),
            Duration.ofMillis(chosen[2]));
    slots = new Slots(size > 10 ? 64 : 8 << random.nextInt(3));
    uids = SlotUids.oneOfEach(slots, random);
    long starts = chance(0.5) ? 3 * SECONDS : 10 * MILLIS; // Some groups start all at once.
    for (int i = 0; i < size; i++) {
      SimulatedMember member = new SimulatedMember("m" + i);
      members.add(member);
      after(between(0, starts), member::boot);
    }
    after(0, this::misfortune);
  }

  LeaseTimings timings() {
    return timings;
  }

  int slots() {
    return slots.count();
  }

  List<SimulatedMember> members() {
    return members;
  }

  int taken() {
    return taken;
  }

  int handedOver() {
    return handedOver;
  }

  int writes() {
    return leases.writes();
  }

  /** Returns for how long, at most, no member has acted for a slot that one had acted for. */
  Duration longestGap() {
    return longestGap;
  }

  void forgetGaps() {
    longestGap = Duration.ZERO;
  }

  /** Adds a member that starts now. */
  SimulatedMember join(String name) {
    SimulatedMember member = new SimulatedMember(name);
    members.add(member);
    member.boot();
    return member;
  }

  void calmDown() {
    weather = Weather.CALM;
    downUntil = now;
    for (SimulatedMember member : members) {
      member.cutOffUntil = now;
      member.pausedUntil = Math.min(member.pausedUntil, now);
    }
  }

  /** Returns the identities of the owners of all slots that a member acts for. */
  Map<Integer, String> owners() {
    Map<Integer, String> owners = new TreeMap<>();
    for (SimulatedMember member : members) {
      if (member.alive) {
        member.rules().slots().acting().forEach(slot -> owners.put(slot, member.identity));
      }
    }
    return owners;
  }

  /**
   * Runs until each slot has its owner, which is the one that the living members should choose.
   *
   * @return how much true time has passed
   */
  Duration awaitSettled(Duration timeout) {
    long start = now;
    long end = now + timeout.toNanos();
    while (!isSettled()) {
      if (now >= end) {
        throw new AssertionError(
            "after " + timeout + " only these slots have owners: " + owners() + text());
      }
      runUntil(now + 10 * MILLIS); // To look after each event would take too long.
    }
    return Duration.ofNanos(now - start);
  }

  private boolean isSettled() {
    Map<Integer, String> owners = owners();
    List<Slots.Candidate> candidates =
        members.stream()
            .filter(member -> member.alive && !member.left)
            .map(m -> new Slots.Candidate(new MemberId(m.identity, m.identity), m.identity))
            .toList();
    if (candidates.isEmpty()) {
      return owners.isEmpty(); // All were told to leave, just before it got calm.
    }
    if (owners.size() < slots.count()) {
      return false;
    }
    return owners.entrySet().stream()
        .allMatch(
            entry -> {
              MemberId owner = Slots.owner(entry.getKey(), candidates);
              return owner != null && owner.lease().equals(entry.getValue());
            });
  }

  /** Nothing to check after each event: what could be wrong begins with a slot that is taken. */
  @Override
  protected void check() {}

  private void checkTaken(SimulatedMember by, SortedSet<Integer> slotsTaken) {
    for (SimulatedMember other : members) {
      if (other == by || !other.alive) {
        continue;
      }
      for (int slot : slotsTaken) {
        SlotTerm term = other.rules().slots().term(slot);
        if (term != null && !term.fence.isOver()) {
          throw new AssertionError(
              "slot %d has two owners at %d ms: %s and %s%s"
                  .formatted(slot, now / MILLIS, other, by, text()));
        }
      }
    }
  }

  private void gapEnds(int slot) {
    Long since = idleSince.remove(slot);
    if (since != null && now - since > longestGap.toNanos()) {
      longestGap = Duration.ofNanos(now - since);
    }
  }

  /** Lets something go wrong, now and then. */
  private void misfortune() {
    after(between(SECONDS / 2, 8 * SECONDS / Math.max(1, members.size() / 3)), this::misfortune);
    if (weather == Weather.CALM) {
      return;
    }
    SimulatedMember member = members.get(random.nextInt(members.size()));
    long lease = timings.leaseDuration().toNanos();
    switch (random.nextInt(10)) {
      case 0, 1 -> member.pause(between(0, 3 * lease));
      case 2 -> member.crash();
      case 3 -> member.leave();
      case 4 -> member.cutOff(between(0, 2 * lease));
      case 5 -> {
        downUntil = now + between(0, lease);
        tell(() -> "the server is down until " + downUntil / MILLIS + " ms");
      }
      case 6 -> member.clock.jump();
      case 7, 8 -> member.breakWatch();
      default -> {
        List<String> names = List.copyOf(leases.all().keySet());
        if (!names.isEmpty()) {
          leases.touch(names.get(random.nextInt(names.size())));
          members.forEach(SimulatedMember::changed);
        }
      }
    }
  }

  /** A process with one member of the group. */
  final class SimulatedMember implements Membership.Listener {

    private final String name;
    private final DriftingClock clock = new DriftingClock();
    private final Set<ShardWork> working = new HashSet<>();
    private SortedSet<Integer> expected = new TreeSet<>();
    private String identity;
    private @Nullable Membership membership;

    /** Grows with each start. An event of an earlier life does nothing. */
    private int life;

    private boolean alive;
    private boolean left;
    private long pausedUntil;
    private long cutOffUntil;

    /** Grows with each call of the rules. The wake-up of an earlier call does nothing. */
    private long turn;

    /** Grows with each watch, so that events of an earlier one are lost. */
    private int watch;

    private boolean connected;
    private int delivered;

    SimulatedMember(String name) {
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
      if (weather == Weather.STORM && chance(0.5)) {
        identity = name + '-' + random.nextInt(1000);
      }
      tell(() -> this + " starts");
      alive = true;
      left = false;
      life++;
      working.clear();
      ShardSettings settings = new ShardSettings(GROUP, identity, timings, slots);
      membership = new Membership(settings, rules, clock, random, this);
      delivered = 0;
      connect();
      int born = life;
      after(between(0, SECONDS), () -> work(born));
    }

    void crash() {
      if (!alive) {
        return;
      }
      tell(() -> this + " crashes");
      rules().slots().acting().forEach(slot -> idleSince.putIfAbsent(slot, now));
      alive = false;
      life++;
      working.clear();
      if (weather == Weather.STORM) {
        after(between(0, 20 * SECONDS), this::boot);
      }
    }

    void pause(long duration) {
      tell(() -> this + " pauses for " + duration / MILLIS + " ms");
      pausedUntil = Math.max(pausedUntil, now + duration);
    }

    void cutOff(long duration) {
      tell(() -> this + " is cut off for " + duration / MILLIS + " ms");
      cutOffUntil = now + duration;
      breakWatch();
    }

    void leave() {
      if (alive && now >= pausedUntil && !left) {
        tell(() -> this + " is told to leave");
        left = true;
        rules().leave();
        turn();
      }
    }

    // ---- work

    /** Begins some work now and then, most of it short. */
    private void work(int born) {
      if (!alive || life != born) {
        return;
      }
      after(between(0, SECONDS), () -> work(born));
      if (now < pausedUntil) {
        return;
      }
      String uid = uids.get(random.nextInt(uids.size()));
      rules()
          .slots()
          .begin(uid, () -> {}, this::finished)
          .ifPresent(
              begun -> {
                working.add(begun);
                boolean hangs = weather == Weather.STORM && chance(0.02);
                finish(begun, hangs ? 60 * SECONDS : between(0, 2 * SECONDS), born);
              });
    }

    private void finish(ShardWork work, long delay, int born) {
      after(
          delay,
          () -> {
            if (alive && life == born) {
              if (now < pausedUntil) {
                finish(work, pausedUntil - now, born);
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
      tell(() -> this + " has left");
      alive = false;
      life++;
      if (weather == Weather.STORM) {
        after(between(0, 20 * SECONDS), this::boot);
      }
    }

    /** Does something when the process is not paused, if it still lives then. */
    private void whenAwake(long delay, int born, Runnable action) {
      after(
          delay,
          () -> {
            if (!alive || life != born) {
              return;
            }
            if (now < pausedUntil) {
              whenAwake(pausedUntil - now + between(0, MILLIS), born, action);
            } else {
              action.run();
            }
          });
    }

    // ---- the network

    private void send(MemberRequest request) {
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
      if (isLost(cutOffUntil)) {
        tell(() -> this + " sends in vain " + SimulatedLeases.describe(request));
        return;
      }
      after(latency(timings.leaseDuration()), () -> arrive(request, receiver));
      if (weather == Weather.STORM && chance(0.02)) {
        after(
            latency(timings.leaseDuration()) * 2,
            () -> arrive(request, answer -> {})); // A second time, late.
      }
    }

    private void arrive(MemberRequest request, Consumer<Answer> receiver) {
      if (now < downUntil) {
        if (chance(0.5)) {
          Answer down = new Answer.Failed(new IllegalStateException("the server is down"));
          after(latency(timings.leaseDuration()), () -> receiver.accept(down));
        }
        return;
      }
      int before = leases.version();
      Answer answer = leases.apply(request);
      tell(
          () ->
              "the server answers %s of %s: %s"
                  .formatted(
                      SimulatedLeases.describe(request), this, SimulatedLeases.describe(answer)));
      if (leases.version() > before) {
        members.forEach(SimulatedMember::changed);
      }
      if (!isLost(cutOffUntil)) {
        after(latency(timings.leaseDuration()), () -> receiver.accept(answer));
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
          between(10 * MILLIS, timings.retryPeriod().toNanos()),
          born,
          () -> {
            if (current != watch) {
              return;
            }
            if (now < cutOffUntil || now < downUntil) {
              connect();
            } else {
              list();
            }
          });
    }

    /** Reads all Leases: from a cache of the server, which may be old. */
    private void list() {
      boolean old = weather == Weather.STORM && chance(0.3);
      int version = Math.max(0, leases.version() - (old ? random.nextInt(30) : 0));
      Map<String, Lease> listed = leases.at(version);
      Set<String> known = new TreeSet<>(leases.at(delivered).keySet());
      known.removeAll(listed.keySet());
      tell(() -> this + " lists at version " + version);
      delivered = version;
      connected = true;
      listed.values().forEach(lease -> rules().seen(lease));
      known.forEach(lost -> rules().gone(lost));
      rules().synced();
      turn();
      changed();
    }

    /** The server has another version, of which a watch hears after a while. */
    private void changed() {
      if (!alive) {
        return;
      }
      int current = watch;
      int upTo = leases.version();
      whenAwake(between(MILLIS, 50 * MILLIS), life, () -> deliver(current, upTo));
    }

    private void deliver(int current, int upTo) {
      if (current != watch || !connected || upTo <= delivered) {
        return;
      }
      for (Change change : List.copyOf(leases.changes(delivered, upTo))) {
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
      tell(() -> this + " takes " + Slots.text(slotsTaken));
      if (!expected.containsAll(slotsTaken)) {
        throw new AssertionError(this + " has not expected all slots that it takes" + text());
      }
      taken += slotsTaken.size();
      checkTaken(this, slotsTaken);
      slotsTaken.forEach(ShardSimulation.this::gapEnds);
    }

    @Override
    public void left(SortedSet<Integer> slotsLeft, String reason) {
      tell(() -> this + " leaves " + Slots.text(slotsLeft) + ": " + reason);
      slotsLeft.forEach(slot -> idleSince.putIfAbsent(slot, now));
      List<ShardWork> ended =
          working.stream().filter(work -> slotsLeft.contains(work.slot())).toList();
      working.removeAll(ended);
      if (reason.equals(HANDED_OVER)) {
        handedOver += slotsLeft.size();
        ended.forEach(this::checkHasDrained);
      }
    }

    private void checkHasDrained(ShardWork work) {
      long drained = clock.nanoTime() - work.term().drainingSince;
      if (!work.term().draining || drained < timings.leaseDuration().toNanos()) {
        throw new AssertionError(
            "%s has cut work in slot %d short at %d ms%s"
                .formatted(this, work.slot(), now / MILLIS, text()));
      }
    }

    @Override
    public void lost(ShardWork work) {}

    @Override
    public void failed(MemberRequest request, Answer.Failed answer) {}

    @Override
    public void problem(String problem) {
      throw new AssertionError(problem);
    }

    @Override
    public String toString() {
      return identity;
    }
  }
}
