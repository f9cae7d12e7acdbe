package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The Lease of this member: creates it, renews it, and deletes it at the end. */
final class OwnLease {

  /** The effect of an answer on the slots. */
  enum Change {
    /** Nothing. */
    NONE,
    /** The member may act until the new {@link #deadline}. */
    RENEWED,
    /** The Lease is gone, and with it all slots; the member creates a new Lease next. */
    LOST,
    /** The Lease is as it was before a renewal that the server had confirmed. */
    UNDONE,
    /** The Lease is deleted as was wanted. */
    DELETED
  }

  private final ShardSettings settings;
  private final SafetyRules rules;
  private final Clock clock;
  private final RandomGenerator random;
  private final Agenda agenda;
  private final RequestLane lane = new RequestLane();

  /** The name of the Lease, which is created or there. Each new one has another name. */
  private String name;

  private @Nullable Lease lease;

  /** Whether this member wants slots, as the last write of the Lease says. */
  boolean announced;

  /** Whether to read the Lease, because it is not as it was. */
  private boolean lookUp;

  private boolean acting;
  private long renewBy;
  private long deadline;

  OwnLease(
      ShardSettings settings,
      SafetyRules rules,
      Clock clock,
      RandomGenerator random,
      Agenda agenda) {
    this.settings = settings;
    this.rules = rules;
    this.clock = clock;
    this.random = random;
    this.agenda = agenda;
    name = newName();
  }

  private String newName() {
    return "%s-%016x".formatted(settings.group().name(), random.nextLong());
  }

  boolean isNamed(String other) {
    return name.equals(other);
  }

  RequestLane lane() {
    return lane;
  }

  @Nullable Lease lease() {
    return lease;
  }

  /** Returns the identity of the Lease, which must be there. */
  MemberId id() {
    return MemberId.of(requireNonNull(lease, "lease"));
  }

  /** Returns the reading of the clock at which all fences end. */
  long deadline() {
    return deadline;
  }

  /** Returns whether the Lease was renewed in time, as far as the last call knows. */
  boolean isActing() {
    return acting;
  }

  /** Returns the clock reading at which the member gives up unless it renews the Lease. */
  long renewBy() {
    return renewBy;
  }

  /** Ends to act if it is time. Returns whether that has just happened. */
  boolean suspend() {
    if (!acting || !agenda.isDue(renewBy)) {
      return false;
    }
    acting = false;
    return true;
  }

  /** Makes the next request due now. */
  void hurry() {
    lane.next = agenda.now();
  }

  /**
   * Sends the next request if it is time.
   *
   * @param wantsSlots what to tell others
   * @param delete whether to delete the Lease
   */
  void write(boolean wantsSlots, boolean delete) {
    if (lane.isBusy() || !agenda.isDue(lane.next)) {
      return;
    }
    Lease known = lease;
    MicroTime time = MicroTime.now(clock);
    announced = wantsSlots;
    if (lookUp) {
      agenda.send(lane, new LeaseRequest.Get(name));
    } else if (known == null) {
      agenda.send(lane, new LeaseRequest.Create(settings.joining(name, wantsSlots, time)));
    } else if (delete) {
      agenda.send(lane, new LeaseRequest.Delete(known));
    } else {
      agenda.send(lane, new LeaseRequest.Update(settings.renewed(known, wantsSlots, time)));
    }
  }

  /** Takes the answer to the request in flight. */
  Change answer(LeaseRequest request, Answer answer) {
    lane.done();
    long sent = lane.sentAt;
    if (answer instanceof Answer.Failed) {
      lane.next = sent + settings.timings().retryPeriod().toNanos();
      return Change.NONE;
    }
    if (request instanceof LeaseRequest.Get) {
      lookUp = false;
      lane.next = agenda.now();
      return lookedUp(answer instanceof Answer.Found found ? found.lease() : null);
    }
    if (answer instanceof Answer.Conflict) {
      lookUp = true; // Somebody has changed it, or an earlier request has come through.
      lane.next = agenda.now();
      return Change.NONE;
    }
    if (answer instanceof Answer.Found found) {
      lease = found.lease();
      lane.next = agenda.now() + settings.timings().retryPeriod().toNanos();
      return renewed(sent);
    }
    return request instanceof LeaseRequest.Delete ? Change.DELETED : Change.LOST;
  }

  private Change lookedUp(@Nullable Lease found) {
    Lease known = lease;
    if (found != null
        && (known == null
            ? settings.identity().equals(found.spec().holderIdentity())
            : MemberId.of(known).equals(MemberId.of(found)))) {
      lease = found; // Not renewed by that: the time at which the request took effect is unknown.
      return known != null && isBefore(found, known) ? Change.UNDONE : Change.NONE;
    }
    if (known != null) {
      return Change.LOST;
    }
    name = newName();
    return Change.NONE;
  }

  /** Compares versions: the clock that renewal times come from may have been set back. */
  private static boolean isBefore(Lease found, Lease known) {
    String version = found.metadata().resourceVersion();
    String confirmed = known.metadata().resourceVersion();
    return version != null
        && confirmed != null
        && ResourceVersion.isComparable(version)
        && ResourceVersion.isComparable(confirmed)
        && ResourceVersion.compare(version, confirmed) < 0;
  }

  private Change renewed(long sent) {
    long until = rules.deadline(settings.timings(), sent, agenda.now());
    if (agenda.now() - until >= 0) {
      return Change.NONE; // The answer has come too late to be of use.
    }
    deadline = until;
    long giveUp =
        sent + settings.timings().retryPeriod().plus(settings.timings().renewDeadline()).toNanos();
    renewBy = until - giveUp < 0 ? until : giveUp;
    agenda.isDue(renewBy);
    acting = true;
    return Change.RENEWED;
  }

  /** Begins again with another Lease. */
  void forget() {
    lease = null;
    acting = false;
    lookUp = false;
    name = newName();
    hurry();
  }
}
