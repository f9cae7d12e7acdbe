package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.Observation;
import dev.clientgo.leaderelection.shard.Slots.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The other members of a group, as the watch shows them. */
final class OtherMembers {

  private final SafetyRules rules;
  private final Agenda agenda;

  /** By the name of the Lease. */
  private final Map<String, Observation> observed = new TreeMap<>();

  /** The candidates of the Leases, which are costly to make. */
  private final Map<MemberId, Candidate> candidates = new HashMap<>();

  /** The owners of slots whose Leases the server has reported gone, or has deleted for us. */
  private final Set<MemberId> gone = new HashSet<>();

  OtherMembers(SafetyRules rules, Agenda agenda) {
    this.rules = rules;
    this.agenda = agenda;
  }

  void seen(Lease lease) {
    Observation before = observed.get(lease.metadata().name());
    boolean same =
        before != null
            && before.lease() != null
            && MemberId.of(before.lease()).equals(MemberId.of(lease));
    Observation start = same ? requireNonNull(before) : Observation.NONE;
    observed.put(MemberId.of(lease).lease(), start.next(lease, agenda.now()));
  }

  void forget(String name) {
    observed.remove(name);
    candidates.keySet().removeIf(member -> member.lease().equals(name));
  }

  void noteGone(MemberId member) {
    gone.add(member);
    if (lease(member) != null) {
      forget(member.lease());
    }
  }

  /** Keeps only these members among those that are known to be gone. */
  void keepGone(Collection<MemberId> members) {
    gone.retainAll(members);
  }

  boolean isGone(MemberId member) {
    return gone.contains(member) || (lease(member) == null && !rules.mustAsk(member));
  }

  /** Counts from now on how long each Lease does not change. */
  void observeAnew() {
    observed.replaceAll((name, before) -> new Observation(before.lease(), agenda.now()));
  }

  /** Returns the Lease of a member as the watch shows it; null if it shows none. */
  @Nullable Lease lease(MemberId member) {
    Observation known = observed.get(member.lease());
    Lease lease = known == null ? null : known.lease();
    return lease != null && MemberId.of(lease).equals(member) ? lease : null;
  }

  /** Returns the Lease of a member if it has expired. */
  private @Nullable Lease expired(Observation known) {
    boolean expired = rules.isExpired(known, agenda.now());
    if (!expired) {
      agenda.isDue(known.expiry());
    }
    return expired ? known.lease() : null;
  }

  /**
   * Returns the request that finds out whether the owner of a slot is gone; null if it is alive.
   */
  @Nullable LeaseRequest questionAbout(MemberId owner) {
    if (lease(owner) == null) {
      return new LeaseRequest.Get(owner.lease());
    }
    Lease expired = expired(requireNonNull(observed.get(owner.lease())));
    return expired == null ? null : rules.evict(expired);
  }

  /** Returns the request that deletes the Lease of any member that has expired. */
  Optional<LeaseRequest> anyEviction() {
    for (Observation known : observed.values()) {
      Lease lease = expired(known);
      if (lease != null) {
        return Optional.of(rules.evict(lease));
      }
    }
    return Optional.empty();
  }

  /** Returns how many others there are. */
  int count() {
    return observed.size();
  }

  /**
   * Returns the members that can own slots, sorted by identity; one for each identity.
   *
   * @param own the Lease of this member; null if it wants no slots
   */
  List<Candidate> candidates(@Nullable Lease own) {
    Map<String, Lease> byIdentity = new TreeMap<>();
    if (own != null) {
      byIdentity.put(identity(own), own);
    }
    for (Observation known : observed.values()) {
      Lease lease = requireNonNull(known.lease(), "lease");
      if (expired(known) == null
          && ShardSettings.wantsSlots(lease)
          && !gone.contains(MemberId.of(lease))) {
        byIdentity.merge(identity(lease), lease, OtherMembers::newer);
      }
    }
    List<Candidate> all = new ArrayList<>(byIdentity.size());
    byIdentity.forEach(
        (identity, lease) ->
            all.add(
                candidates.computeIfAbsent(
                    MemberId.of(lease), member -> new Candidate(member, identity))));
    return all;
  }

  private static String identity(Lease lease) {
    String holder = lease.spec().holderIdentity();
    return holder == null ? "" : holder;
  }

  /** A process that has started again under the same identity has a newer Lease. */
  private static Lease newer(Lease a, Lease b) {
    String first = String.valueOf(a.metadata().creationTimestamp());
    String second = String.valueOf(b.metadata().creationTimestamp());
    int byTime = first.compareTo(second);
    return byTime > 0 || (byTime == 0 && MemberId.of(a).compareTo(MemberId.of(b)) > 0) ? a : b;
  }

  /** Returns the members as people see them: this one, if it has a Lease, and the others. */
  List<ShardMember> all(@Nullable Lease own, Assignment record) {
    List<ShardMember> members = new ArrayList<>();
    if (own != null) {
      members.add(member(own, record));
    }
    for (Observation known : observed.values()) {
      members.add(member(requireNonNull(known.lease(), "lease"), record));
    }
    return members;
  }

  private static ShardMember member(Lease lease, Assignment record) {
    MemberId id = MemberId.of(lease);
    return new ShardMember(
        identity(lease), id.lease(), record.slotsOf(id), !ShardSettings.wantsSlots(lease));
  }
}
