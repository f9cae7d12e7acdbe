package dev.clientgo.leaderelection.internal;

import java.time.Duration;

/**
 * How long a Lease lasts, and how often its holder renews it. Immutable.
 *
 * @param leaseDuration how long others wait after the last renewal that they have seen
 * @param renewDeadline how long a holder tries to renew before it gives up
 * @param retryPeriod the time between renewals
 */
public record LeaseTimings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

  /** The default lease duration: 15 s. */
  public static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  /** The default renew deadline: 10 s. */
  public static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

  /** The default retry period: 2 s. */
  public static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

  /** How much longer than the retry period a pause between attempts to acquire can be. */
  public static final double JITTER_FACTOR = 1.2;

  /** How much of the lease duration a holder uses, so that clocks may differ in rate. */
  private static final double USED = 0.9;

  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Checks the durations.
   *
   * @throws IllegalArgumentException unless leaseDuration &gt; renewDeadline &gt; 1.2 × retryPeriod
   *     &gt; 0, and the lease duration is at least one second
   */
  public LeaseTimings {
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
  public int leaseSeconds() {
    return (int) leaseDuration.toSeconds();
  }

  /** Returns how long a holder may write after it has sent a renewal. */
  public long termNanos() {
    return termNanos(leaseSeconds());
  }

  private static long termNanos(int leaseSeconds) {
    return (long) (leaseSeconds * 1e9 * USED);
  }

  /** Returns the timeout of a request, so that one that hangs leaves time for another. */
  public Duration requestTimeout() {
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
