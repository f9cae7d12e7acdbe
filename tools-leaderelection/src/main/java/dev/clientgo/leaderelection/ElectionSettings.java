package dev.clientgo.leaderelection;

import java.time.Duration;

/**
 * The settings of one candidate. Immutable.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderElectionConfig}.
 */
record ElectionSettings(
    LeaseLock lock,
    String identity,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod,
    boolean releaseOnCancel,
    boolean coordinated) {

  /** How much longer than the retry period a pause between attempts to acquire can be. */
  static final double JITTER_FACTOR = 1.2;

  /** How much of the lease duration a leader uses, so that clocks may differ in rate. */
  private static final double USED = 0.9;

  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

  ElectionSettings {
    require(!identity.isEmpty(), "the identity is empty: each candidate needs one of its own");
    requirePositive("leaseDuration", leaseDuration);
    requirePositive("renewDeadline", renewDeadline);
    requirePositive("retryPeriod", retryPeriod);
    require(
        leaseDuration.compareTo(renewDeadline) > 0,
        "leaseDuration must be greater than renewDeadline: "
            + leaseDuration
            + ", "
            + renewDeadline);
    require(
        renewDeadline.toNanos() > JITTER_FACTOR * retryPeriod.toNanos(),
        "renewDeadline must be greater than "
            + JITTER_FACTOR
            + " * retryPeriod: "
            + renewDeadline
            + ", "
            + retryPeriod);
    require(
        leaseDuration.toSeconds() >= 1 && leaseDuration.toSeconds() <= Integer.MAX_VALUE,
        "leaseDuration must be at least one second, because a Lease counts whole seconds: "
            + leaseDuration);
    require(
        termNanos((int) leaseDuration.toSeconds()) > retryPeriod.toNanos(),
        "retryPeriod must be less than 90 % of the whole seconds of leaseDuration: "
            + retryPeriod
            + ", "
            + leaseDuration);
  }

  /** Returns the lease duration as a Lease holds it. */
  int leaseSeconds() {
    return (int) leaseDuration.toSeconds();
  }

  /** Returns how long a leader may write after it has sent a renewal of that many seconds. */
  static long termNanos(int leaseSeconds) {
    return (long) (leaseSeconds * 1e9 * USED);
  }

  /** Returns the timeout of a request, so that one that hangs leaves time for another. */
  Duration requestTimeout() {
    Duration half = renewDeadline.dividedBy(2);
    return half.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : half;
  }

  private static void requirePositive(String name, Duration duration) {
    require(
        !duration.isNegative() && !duration.isZero(),
        name + " must be greater than zero: " + duration);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
