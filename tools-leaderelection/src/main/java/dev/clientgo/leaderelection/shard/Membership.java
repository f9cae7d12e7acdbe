package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.shard.Slots.Candidate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one member of a group: which requests to send, which slots to own, and until when.
 *
 * <p>It starts no threads, sends nothing and never waits. Its caller passes it what the watch shows
 * and what the server answers, calls {@link #advance} after each of these and at the time that this
 * returned, and sends the requests. So a test can put fifty members through pauses and lost answers
 * in a second. One lock guards all calls.
 *
 * <p><b>Why no slot has two owners.</b>
 *
 * <ul>
 *   <li>The Lease of the group records the owner of each slot; a write of it succeeds only on the
 *       version that its writer has seen.
 *   <li>A member acts until 90 % of the lease duration after it has sent the last renewal of its
 *       Lease that the server has confirmed.
 *   <li>Another member takes a slot only if it is free, or if the Lease of its owner is gone. It
 *       deletes that Lease after it has watched it unchanged for the lease duration by its own
 *       clock. The deletion succeeds only on the version that it has watched, so the owner has not
 *       renewed it meanwhile and never will.
 *   <li>A member that sees that the server has lost a write that it had confirmed, as after a
 *       restore of etcd, ends its work, and acts by the restored record only after the lease
 *       duration. By then the others have noticed it too, or could not renew their Leases.
 *   <li>A member that gives a slot away ends its work before it sends the write. If the answer is
 *       lost, it acts for the slot again only after it has seen a newer version of the record: then
 *       the write has taken effect or never will.
 * </ul>
 */
final class Membership {

  /** Receives changes. It must be quick, and call nothing here. */
  interface Listener extends OwnedSlots.Listener {

    /** A request has failed. */
    void failed(LeaseRequest request, Answer.Failed answer);

    /** A person must put something right. */
    void problem(String text);
  }

  private enum Phase {
    /** Waits for the first list of Leases. */
    SYNCING,
    /** Has a Lease, or tries to create one. */
    MEMBER,
    /** Has ended. */
    LEFT
  }

  /**
   * The time, for each other member, over which writes of the record are spread to avoid conflicts.
   */
  private static final long SPREAD_NANOS = 10_000_000;

  private final ShardSettings settings;
  private final SafetyRules rules;
  private final Clock clock;
  private final RandomGenerator random;
  private final Listener listener;

  private final Agenda agenda;
  private final OwnLease own;
  private final OwnedSlots slots;
  private final OtherMembers others;
  private final GroupRecord record;
  private final RequestLane lane = new RequestLane();

  private Phase phase = Phase.SYNCING;
  private boolean leaving;
  private boolean ready = true;
  private @Nullable RuntimeException refusal;

  /** Whether this member has acted before: then others owned slots that it has not seen renewed. */
  private boolean hasActed;

  /** The owners of slots when {@link #lane} asked for the Lease of one of them. */
  private Set<MemberId> askedAbout = Set.of();

  /** Whether the own Lease says the contrary of what this member has written. */
  private boolean altered;

  /** Whether {@link #lane} has its next time, because there is something to write. */
  private boolean planned;

  /** Whether the own Lease can be deleted, because this member leaves and owns no slot. */
  private boolean deleting;

  Membership(
      ShardSettings settings,
      SafetyRules rules,
      Clock clock,
      RandomGenerator random,
      Listener listener) {
    this.settings = settings;
    this.rules = rules;
    this.clock = clock;
    this.random = random;
    this.listener = listener;
    agenda = new Agenda(clock, settings);
    agenda.begin();
    own = new OwnLease(settings, rules, clock, random, agenda);
    slots = new OwnedSlots(settings, rules, clock, agenda, listener);
    others = new OtherMembers(rules, agenda);
    record = new GroupRecord(settings, agenda.now());
    lane.next = agenda.now();
  }

  // ---- what happens

  /** The first list of Leases is known. */
  void synced() {
    agenda.begin();
    if (phase == Phase.SYNCING) {
      phase = Phase.MEMBER;
      own.hurry();
    }
  }

  /** The watch shows a Lease of the group. */
  void seen(Lease lease) {
    begin();
    String name = requireNonNull(lease.metadata().name(), "name");
    if (name.equals(settings.group().name())) {
      see(lease, false);
    } else if (!own.isNamed(name)) {
      others.seen(lease);
    }
    slots.report();
  }

  /** The watch no longer shows a Lease. It may still exist, so this is only a hint. */
  void gone(String name) {
    begin();
    if (name.equals(settings.group().name())) {
      record.refresh = true;
    } else if (own.isNamed(name)) {
      own.hurry(); // The next renewal shows whether the Lease is gone.
    } else {
      others.forget(name);
    }
    slots.report();
  }

  /** The answer to a request; does nothing if the request was given up. */
  void answer(LeaseRequest request, Answer answer) {
    begin();
    take(request, answer);
    slots.report();
  }

  private void take(LeaseRequest request, Answer answer) {
    boolean isOwn = own.lane().isWaitingFor(request);
    if (!isOwn && !lane.isWaitingFor(request)) {
      return;
    }
    if (answer instanceof Answer.Failed failed) {
      listener.failed(request, failed);
    }
    if (!isOwn) {
      lane.done();
      planned = false;
      groupAnswer(request, answer);
      return;
    }
    boolean wasActing = own.isActing();
    switch (own.answer(request, answer)) {
      case RENEWED -> renewed(wasActing);
      case LOST -> rejoin();
      case UNDONE -> {
        undone();
        record.refresh = true;
      }
      case DELETED -> end("the member has left");
      case NONE -> {}
    }
  }

  private void renewed(boolean wasActing) {
    if (wasActing) {
      slots.renew(own.deadline());
    } else if (hasActed) {
      // The others may not have reached the server either, so each gets its whole time again.
      others.observeAnew();
    }
    hasActed = true;
    altered = ShardSettings.wantsSlots(requireNonNull(own.lease())) != own.announced;
    if (altered) {
      listener.problem(
          "The server changes the annotation "
              + ShardSettings.LEAVING
              + " of the Leases of the shard group "
              + settings.group()
              + ", which marks members that want no slots: correct the admission policy");
    }
    if (own.announced != wantsSlots() || (leaving && ownsNothing())) {
      own.hurry();
    }
  }

  private void rejoin() {
    others.noteGone(own.id());
    slots.endAll("the Lease of this member was deleted");
    own.forget();
    if (leaving) {
      end("the member has left");
    }
  }

  /**
   * The server was restored to an earlier state, in which slots may have other owners, and Leases
   * that were gone exist again.
   */
  private void undone() {
    slots.endAll("the server was restored to an earlier state");
    slots.forgetGiven();
    others.keepGone(Set.of());
    record.forget(agenda.now());
  }

  /**
   * Sets whether this process can do the work of slots. A member that is not ready renews its
   * Lease, in which others read it, and gives its slots away as one that leaves.
   */
  void ready(boolean isReady) {
    begin();
    ready = isReady;
    own.hurry();
    slots.report();
  }

  boolean wantsSlots() {
    return rules.wantsSlots(ready, leaving);
  }

  /** Begins to leave: gives all slots away when their work has ended, and then its Lease. */
  void leave() {
    begin();
    leaving = true;
    own.hurry();
    if (own.lease() == null) {
      end("the member has left");
    }
    slots.report();
  }

  /** Ends at once. If the Lease is still there, it expires. */
  void end(String reason) {
    slots.endAll(reason);
    phase = Phase.LEFT;
    slots.report();
  }

  // ---- what to do

  /** Returns what to do now, and when to ask again if nothing happens before. */
  Agenda.Todo advance() {
    begin();
    expire(own.lane());
    expire(lane);
    if (phase == Phase.MEMBER) {
      if (own.isActing()) {
        // The others know of it first: they read it in the Lease.
        boolean isCandidate = wantsSlots() && ShardSettings.wantsSlots(requireNonNull(own.lease()));
        List<Candidate> candidates = others.candidates(isCandidate ? own.lease() : null);
        List<@Nullable MemberId> wanted = record.wanted(candidates);
        if (isCandidate) {
          slots.expect(own.id(), wanted);
        }
        if (agenda.isDue(record.countsAt())) {
          slots.update(own.id(), record.assignment(), wanted, own.deadline());
        }
        writeRecord(wanted, own.id().equals(Slots.owner(-1, candidates)));
      }
      boolean delete = leaving && ownsNothing();
      if (delete && !deleting) {
        own.hurry();
      }
      deleting = delete;
      own.write(wantsSlots(), delete);
    }
    slots.report();
    return agenda.take();
  }

  /** Reads the clock. A member that was paused finds out here that its time has expired. */
  private void begin() {
    agenda.begin();
    if (own.suspend()) {
      slots.endAll("the lease was not renewed in time");
    }
  }

  private void expire(RequestLane late) {
    LeaseRequest request = late.inFlight();
    if (request != null && agenda.isDue(late.timeoutAt)) {
      String time = settings.timings().requestTimeout().toString();
      take(request, new Answer.Failed(new TimeoutException("no answer within " + time)));
    }
  }

  private boolean ownsNothing() {
    return own.lease() != null && !lane.isBusy() && record.assignment().slotsOf(own.id()).isEmpty();
  }

  // ---- the Lease of the group

  /**
   * Writes the record, if necessary.
   *
   * @param wanted the member that should own each slot
   * @param isFirst whether this member tidies up Leases that have expired
   */
  private void writeRecord(List<@Nullable MemberId> wanted, boolean isFirst) {
    if (lane.isBusy()) {
      return;
    }
    if (record.refresh) {
      if (agenda.isDue(lane.next)) {
        record.ask();
        agenda.send(lane, new LeaseRequest.Get(settings.group().name()));
      }
      return;
    }
    if (!agenda.isDue(record.countsAt()) || (record.isMissing() && !wantsSlots())) {
      return;
    }
    RecordPlan plan = plan(wanted);
    if (isFirst) {
      others.anyEviction().ifPresent(plan::ask);
    }
    if (plan.isEmpty()) {
      planned = false;
      return;
    }
    if (!planned) {
      planned = true;
      lane.next = agenda.now() + spread();
    }
    if (agenda.isDue(lane.next)) {
      carryOut(plan);
    }
  }

  /**
   * Returns a short random time, longer in larger groups: fewer writes meet then. If the others
   * give slots back that this member does not want, it is a retry period longer.
   */
  private long spread() {
    long spread = (long) (random.nextDouble() * SPREAD_NANOS * others.count());
    return altered ? spread + settings.timings().retryPeriod().toNanos() : spread;
  }

  private RecordPlan plan(List<@Nullable MemberId> wanted) {
    MemberId me = own.id();
    Assignment assignment = record.assignment();
    RecordPlan plan = new RecordPlan(assignment, record.isMissing());
    for (int slot = 0; slot < assignment.slots(); slot++) {
      MemberId owner = assignment.owner(slot);
      boolean isWanted = me.equals(wanted.get(slot));
      if (me.equals(owner)) {
        if (isWanted && slots.term(slot) == null) {
          plan.touch();
        } else if (!isWanted && slots.isDrained(slot)) {
          plan.give(slot, wanted.get(slot));
        }
      } else if (isWanted) {
        if (owner == null || others.isGone(owner)) {
          plan.take(slot, me);
        } else {
          plan.ask(others.questionAbout(owner));
        }
      }
    }
    return plan;
  }

  private void carryOut(RecordPlan plan) {
    LeaseRequest question = plan.question();
    if (question != null) {
      askedAbout = record.assignment().members();
      agenda.send(lane, question);
      return;
    }
    plan.given().forEach(slot -> slots.giveAway(slot, record.assignment().version()));
    Lease lease = settings.recorded(record.lease(), plan.result(), MicroTime.now(clock));
    agenda.send(
        lane, record.isMissing() ? new LeaseRequest.Create(lease) : new LeaseRequest.Update(lease));
  }

  private void groupAnswer(LeaseRequest request, Answer answer) {
    if (answer instanceof Answer.Failed) {
      record.refresh = true;
      double part = 0.5 + random.nextDouble() / 2;
      lane.next = agenda.now() + (long) (part * settings.timings().retryPeriod().toNanos());
    } else if (request instanceof LeaseRequest.Delete delete) {
      MemberId member = MemberId.of(delete.lease());
      if (answer instanceof Answer.Conflict) {
        others.forget(member.lease()); // It may be alive, so ask.
      } else {
        others.noteGone(member);
      }
    } else if (request instanceof LeaseRequest.Get get
        && !get.name().equals(settings.group().name())) {
      aboutOther(get.name(), answer);
    } else if (answer instanceof Answer.Found found) {
      record.refresh = false;
      see(found.lease(), request instanceof LeaseRequest.Get);
    } else if (request instanceof LeaseRequest.Get) {
      if (record.missing(agenda.now())) {
        slots.endAll("the Lease of the group was deleted");
        slots.forgetGiven();
      }
    } else {
      record.refresh = true; // Another member was faster.
      lane.next = agenda.now() + spread();
    }
  }

  /** Takes the answer to the question whether a member has its Lease. */
  private void aboutOther(String name, Answer answer) {
    Lease found = answer instanceof Answer.Found lease ? lease.lease() : null;
    if (found != null && !own.isNamed(name)) { // The Lease of a former owner may have had our name.
      others.seen(found);
    }
    // The answer may be older than an owner whose Lease has got that name since.
    for (MemberId owner : askedAbout) {
      if (owner.lease().equals(name) && (found == null || !owner.equals(MemberId.of(found)))) {
        others.noteGone(owner);
      }
    }
  }

  /**
   * Takes a state of the record.
   *
   * @param isRead whether the server has returned it to this member's question
   */
  private void see(Lease lease, boolean isRead) {
    try {
      if (isRead && record.isUndoneBy(lease)) {
        undone();
      }
      if (record.see(lease)) {
        slots.endAll("the Lease of the group was replaced");
        slots.forgetGiven();
      }
      if (!isRead && !agenda.isDue(record.countsAt())) {
        record.refresh = true; // A late event may show what the server has lost.
      }
      others.keepGone(record.assignment().members());
    } catch (IllegalStateException e) {
      refusal = e;
      end("the number of slots differs from that of the group");
    } catch (IllegalArgumentException e) {
      listener.problem(
          "The Lease "
              + settings.group()
              + " cannot be read: no slot changes hands until a person"
              + " has corrected or deleted it: "
              + e.getMessage());
    }
  }

  // ---- what is known

  OwnedSlots slots() {
    return slots;
  }

  boolean hasLeft() {
    return phase == Phase.LEFT;
  }

  /** Returns why this member cannot take part; null if it can. */
  @Nullable RuntimeException refusal() {
    return refusal;
  }

  /** Returns the reading of the clock at which the member stops unless it renews; null before. */
  @Nullable Long renewBy() {
    return hasActed ? own.renewBy() : null;
  }

  /** Returns whether the Lease of this member is renewed in time. */
  boolean isMember() {
    return phase == Phase.MEMBER && own.isActing() && clock.nanoTime() - own.renewBy() < 0;
  }

  /** Returns all members that are known, each with the slots that the record gives to it. */
  List<ShardMember> members() {
    return others.all(own.lease(), record.assignment());
  }

  /** Returns whether a request still waits for its answer. */
  boolean isWaitingFor(LeaseRequest request) {
    return own.lane().isWaitingFor(request) || lane.isWaitingFor(request);
  }
}
