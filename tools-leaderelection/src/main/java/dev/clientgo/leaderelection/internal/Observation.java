package dev.clientgo.leaderelection.internal;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.coordination.v1.LeaseSpec;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Lease as last seen, and when it was first seen like this. Immutable.
 *
 * @param lease the Lease; null before it was seen
 * @param since the reading of the local clock when the spec of the Lease had changed
 */
public record Observation(@Nullable Lease lease, long since) {

  /** Nothing was seen yet. */
  public static final Observation NONE = new Observation(null, 0);

  /** Returns the observation after another look, at a time, at the Lease. */
  public Observation next(Lease seen, long now) {
    // The raw record decides: a change of labels is no sign of life of a leader.
    return lease != null && Objects.equals(lease.spec(), seen.spec())
        ? new Observation(seen, since)
        : new Observation(seen, now);
  }

  /** Returns the spec, in which nothing is set if there is none. */
  public LeaseSpec spec() {
    return lease == null ? LeaseSpec.EMPTY : lease.spec();
  }

  /** Returns the identity of the holder; empty if nobody holds the Lease. */
  public String holder() {
    String holder = spec().holderIdentity();
    return holder == null ? "" : holder;
  }

  /** Returns how often the Lease has changed hands. */
  public int transitions() {
    Integer transitions = spec().leaseTransitions();
    return transitions == null ? 0 : transitions;
  }

  /**
   * Returns whether the Lease has not expired: by the local time of the last change and the
   * duration that the Lease itself states. The times that it states are never read.
   */
  public boolean isValid(long now) {
    return now - expiry() < 0;
  }

  /** Returns the reading of the local clock at which the Lease expires unless it changes. */
  public long expiry() {
    Integer seconds = spec().leaseDurationSeconds();
    return since + TimeUnit.SECONDS.toNanos(seconds == null ? 0 : seconds);
  }
}
