package dev.clientgo.leaderelection.shard;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.SimulatedWorld;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A group in one thread: members with clocks of their own, a network, watches that break and show
 * old states, a server, and a seed that decides all that goes wrong. {@link Membership} runs in it
 * as it is; only {@link ShardDriver} is replaced, by {@link SimulatedMember}.
 *
 * <p>Whenever a member begins to act for a slot, the world asks all others that live whether they
 * would let a write for the slot through, and whether they have cut work in it short. Members that
 * are paused are asked too, because they could continue at any moment.
 */
final class ShardSimulation extends SimulatedWorld {

  final SafetyRules rules;
  final LeaseTimings timings;
  final Slots slots;
  final List<SimulatedMember> members = new ArrayList<>();
  final SimulatedLeases leases = new SimulatedLeases();
  final List<String> uids; // One of each slot.

  /** Since when no member acts for a slot, for {@link #longestGap}. */
  final Map<Integer, Long> idleSince = new TreeMap<>();

  long downUntil;
  int taken;
  int handedOver;
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
      SimulatedMember member = new SimulatedMember(this, "m" + i);
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

  /** Returns how often the record of the owners has changed. */
  int recordVersion() {
    Lease record = leases.all().get(SimulatedMember.GROUP.name());
    return record == null ? 0 : Assignment.of(record).version();
  }

  /** Returns for how long, at most, no member has acted for a slot that one had acted for. */
  Duration longestGap() {
    return longestGap;
  }

  void forgetGaps() {
    longestGap = Duration.ZERO;
  }

  /** Restores the server to an earlier version; its watches end. */
  void restore(int version) {
    tell(() -> "the server is restored to version " + version);
    leases.restore(version);
    members.forEach(SimulatedMember::breakWatch);
  }

  /** Adds a member that starts now. */
  SimulatedMember join(String name) {
    SimulatedMember member = new SimulatedMember(this, name);
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
            .filter(member -> member.alive && !member.left && member.ready)
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

  void checkTaken(SimulatedMember by, SortedSet<Integer> slotsTaken) {
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

  void gapEnds(int slot) {
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
    switch (random.nextInt(11)) {
      case 0, 1 -> member.pause(between(0, 3 * lease));
      case 2 -> member.crash();
      case 3 -> member.leave();
      case 4 -> member.cutOff(between(0, 2 * lease));
      case 5 -> {
        downUntil = now + between(0, lease);
        tell(() -> "the server is down until " + downUntil / MILLIS + " ms");
      }
      case 6 -> member.clock.jump();
      case 9 -> member.falter();
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
}
