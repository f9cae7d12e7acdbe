package dev.clientgo.leaderelection.shard;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.internal.Observation;

/**
 * The rules that keep two members from acting for one slot. A test replaces one at a time, to show
 * that its checks notice.
 */
class SafetyRules {

  /**
   * Returns until when a member acts after a renewal of its Lease.
   *
   * @param sent the reading of the clock before the renewal was sent
   * @param answered the reading of the clock when the answer came, which is too late to count from
   */
  long deadline(LeaseTimings timings, long sent, long answered) {
    return sent + timings.termNanos();
  }

  /** Returns whether the Lease of another member has not changed for its duration. */
  boolean isExpired(Observation observed, long now) {
    return !observed.isValid(now);
  }

  /** Returns the request that deletes an expired Lease, but only the version that was watched. */
  LeaseRequest evict(Lease expired) {
    return new LeaseRequest.Delete(expired);
  }

  /**
   * Returns whether an owner that the watch does not show must be asked for before its slot goes.
   */
  boolean mustAsk(MemberId owner) {
    return true;
  }

  /** Returns whether the record is newer than the attempt to give a slot away. */
  boolean isNewer(int version, int givenAwayAt) {
    return version > givenAwayAt;
  }

  /** Returns whether a member may own slots: it can do their work, and does not leave. */
  boolean wantsSlots(boolean ready, boolean leaving) {
    return ready && !leaving;
  }

  /** Returns whether a slot waits for its work before it is given away. */
  boolean mustWait(SlotTerm term) {
    return !term.active.isEmpty();
  }
}
