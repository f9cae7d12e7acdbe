package dev.clientgo.leaderelection;

import dev.clientgo.leaderelection.internal.LeaseTimings;

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
}
