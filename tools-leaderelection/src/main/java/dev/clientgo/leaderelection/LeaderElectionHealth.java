package dev.clientgo.leaderelection;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A health check that fails if this process believes that it leads but has long not renewed the
 * Lease. A kubelet that asks for it restarts a process whose elector hangs.
 *
 * <p>It can be served before there is an elector. Safe for use by many threads. Corresponds to
 * client-go's {@code leaderelection.HealthzAdaptor}.
 */
public final class LeaderElectionHealth {

  private final Duration tolerance;
  private volatile @Nullable LeaderElector elector;

  private LeaderElectionHealth(Duration tolerance) {
    this.tolerance = requireNonNull(tolerance, "tolerance");
  }

  /**
   * Returns a check.
   *
   * @param tolerance how much older than the lease duration the last renewal may be
   */
  public static LeaderElectionHealth of(Duration tolerance) {
    return new LeaderElectionHealth(tolerance);
  }

  /** Returns the name of the check, {@code leaderElection}. */
  public String name() {
    return "leaderElection";
  }

  /** Sets the elector to check; without one, the check succeeds. */
  public void setLeaderElection(LeaderElector elector) {
    this.elector = requireNonNull(elector, "elector");
  }

  /** Returns the reason why the process is unhealthy; empty if it is healthy. */
  public Optional<String> check() {
    LeaderElector current = elector;
    return current == null ? Optional.empty() : current.check(tolerance);
  }
}
