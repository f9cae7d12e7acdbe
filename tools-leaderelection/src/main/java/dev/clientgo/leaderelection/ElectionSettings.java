package dev.clientgo.leaderelection;

import dev.clientgo.leaderelection.internal.LeaseTimings;
import java.time.Duration;

/**
 * The settings of one candidate. Immutable.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderElectionConfig}.
 */
record ElectionSettings(
    LeaseLock lock, String identity, LeaseTimings timings, boolean releaseOnCancel) {

  ElectionSettings {
    if (identity.isEmpty()) {
      throw new IllegalArgumentException(
          "the identity is empty: each candidate needs a unique one");
    }
  }

  Duration leaseDuration() {
    return timings.leaseDuration();
  }

  Duration renewDeadline() {
    return timings.renewDeadline();
  }

  Duration retryPeriod() {
    return timings.retryPeriod();
  }

  /** Returns the timeout of a request, so that one that hangs leaves time for another. */
  Duration requestTimeout() {
    return timings.requestTimeout();
  }
}
