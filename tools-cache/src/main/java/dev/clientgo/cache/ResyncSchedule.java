package dev.clientgo.cache;

import java.time.Duration;

/**
 * When a handler is due for a resync. The informer looks only every so often, so a handler cannot
 * have a shorter period than that.
 *
 * <p>Not safe for use by many threads; SharedProcessor's lock guards it.
 */
final class ResyncSchedule {

  private final Duration requested;
  private Duration period;
  private long next;

  /**
   * Whether the handler takes part in the resync that is going on. True until the first resync, so
   * that without resyncs a handler hears of unchanged objects when they are listed again.
   */
  private boolean syncing = true;

  /**
   * Creates a schedule.
   *
   * @param checkPeriod how often the informer looks
   */
  ResyncSchedule(Duration requested, Duration checkPeriod, long now) {
    this.requested = requested;
    this.period = effective(requested, checkPeriod);
    this.next = now + period.toNanos();
  }

  private static Duration effective(Duration requested, Duration checkPeriod) {
    if (requested.isZero() || checkPeriod.isZero()) {
      return Duration.ZERO;
    }
    return requested.compareTo(checkPeriod) < 0 ? checkPeriod : requested;
  }

  Duration requested() {
    return requested;
  }

  Duration period() {
    return period;
  }

  boolean isSyncing() {
    return syncing;
  }

  void checkPeriodChanged(Duration checkPeriod) {
    period = effective(requested, checkPeriod);
  }

  /** Decides whether the handler takes part in the resync that begins now. */
  boolean begin(long now) {
    syncing = !period.isZero() && now - next >= 0;
    if (syncing) {
      next = now + period.toNanos();
    }
    return syncing;
  }
}
