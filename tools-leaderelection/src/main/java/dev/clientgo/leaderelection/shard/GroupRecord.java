package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.shard.Slots.Candidate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The Lease of the group as last seen. It goes back to an older version only if the server has. */
final class GroupRecord {

  private final ShardSettings settings;
  private @Nullable Lease lease;
  private Assignment assignment;

  /** The uids of earlier Leases of the group, which a late event may show again. */
  private final Set<String> former = new HashSet<>();

  /** Whether to read the Lease before the next write. */
  boolean refresh = true;

  /** The Lease as it was known when this member asked for it. */
  private @Nullable Lease asked;

  /** The reading of the clock at which no member acts any longer by an earlier, lost state. */
  private long countsAt;

  /** The last candidates, and which of them should own each slot. */
  private List<Candidate> candidates = List.of();

  private List<@Nullable MemberId> wanted;

  GroupRecord(ShardSettings settings, long now) {
    this.settings = settings;
    countsAt = now;
    assignment = Assignment.free(settings.slots().count());
    wanted = assignment.owners();
  }

  boolean isMissing() {
    return lease == null;
  }

  @Nullable Lease lease() {
    return lease;
  }

  /** Returns the owners of the slots; all slots are free if the Lease is missing. */
  Assignment assignment() {
    return assignment;
  }

  /** Returns when this member may act by the Lease, or create it. */
  long countsAt() {
    return countsAt;
  }

  /**
   * Takes a state of the Lease, unless it is older than the one known.
   *
   * @return whether it has replaced another Lease of the same name
   * @throws IllegalArgumentException if it cannot be read
   * @throws IllegalStateException if the group has another number of slots
   */
  boolean see(Lease seen) {
    String uid = requireNonNull(seen.metadata().uid(), "uid");
    Assignment read = Assignment.of(seen);
    if (read.slots() != settings.slots().count()) {
      throw new IllegalStateException(
          "the shard group "
              + settings.group()
              + " has "
              + read.slots()
              + " slots, but this member was built with slots("
              + settings.slots().count()
              + "): all members need the same number. To change it, stop all members and delete the"
              + " Lease "
              + settings.group());
    }
    Lease known = lease;
    String knownUid = known == null ? uid : requireNonNull(known.metadata().uid(), "uid");
    boolean replaces = !uid.equals(knownUid);
    boolean old = known != null && !replaces && read.version() < assignment.version();
    if (old || former.contains(uid)) {
      refresh = true; // The watch may be late, or the server was restored to an earlier state.
      return false;
    }
    if (replaces) {
      former.add(knownUid);
    }
    lease = seen;
    assignment = read;
    return replaces;
  }

  /** Notes that this member asks the server for the Lease now. */
  void ask() {
    asked = lease;
  }

  /**
   * Notes that the Lease did not exist when the server was asked. If it did before, members may
   * still act by it, so the next one is created only after the lease duration. If the watch has
   * shown it since the question, the answer may be from before it was created: then this member
   * asks again.
   *
   * @return whether it existed before, and no longer does
   */
  boolean missing(long now) {
    Lease known = lease;
    refresh = !Objects.equals(known, asked);
    if (known == null || refresh) {
      return false;
    }
    former.add(requireNonNull(known.metadata().uid(), "uid"));
    forget(now);
    return true;
  }

  /**
   * Returns whether an answer shows that the server has lost the version that is known, or that an
   * earlier Lease was deleted. That Lease is no longer a former one.
   */
  boolean isUndoneBy(Lease answer) {
    Lease known = lease;
    if (!Objects.equals(known, asked)) {
      return false;
    }
    String uid = answer.metadata().uid();
    return former.remove(uid)
        || (known != null
            && Objects.equals(known.metadata().uid(), uid)
            && Assignment.of(answer).version() < assignment.version());
  }

  /**
   * Forgets a state that the server has lost. Others may still act by it, or by a later one, so
   * this member acts by none for the lease duration.
   */
  void forget(long now) {
    lease = null;
    assignment = Assignment.free(settings.slots().count());
    countsAt = now + settings.timings().leaseDuration().toNanos();
  }

  /** Returns which member should own each slot; null if there is none. */
  List<@Nullable MemberId> wanted(List<Candidate> current) {
    if (!current.equals(candidates)) {
      candidates = current;
      List<@Nullable MemberId> owners = new ArrayList<>(assignment.slots());
      for (int slot = 0; slot < assignment.slots(); slot++) {
        owners.add(Slots.owner(slot, current));
      }
      wanted = owners;
    }
    return wanted;
  }
}
