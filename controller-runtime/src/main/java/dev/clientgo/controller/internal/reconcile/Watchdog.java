package dev.clientgo.controller.internal.reconcile;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts reconciles that take longer than their timeout, and warns of those that take long.
 * Safe for use by many threads.
 *
 * @param <R> the type of the requests
 */
final class Watchdog<R> implements Attempt.Step<R> {

  private final LastStep<R> call;
  private final @Nullable Duration timeout;
  private final long timeoutNanos;
  private final ReconcileMetrics metrics;
  private final ReconcileLog log;
  private final Clock clock;
  private final Set<ActiveReconcile> active = ConcurrentHashMap.newKeySet();

  Watchdog(LastStep<R> call, ReconcileMetrics metrics, ReconcileLog log, Clock clock) {
    this.call = call;
    this.timeout = call.timeout();
    this.timeoutNanos = timeout == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(timeout);
    this.metrics = metrics;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public void run(Attempt<R> attempt) throws InterruptedException {
    ActiveReconcile reconcile = attempt.reconcile;
    active.add(reconcile);
    try {
      attempt.proceed();
    } finally {
      boolean timedOut = reconcile.end();
      active.remove(reconcile);
      if (timeout != null && timedOut && attempt.error != null) {
        attempt.error = call.timedOut(attempt.request, attempt.error);
        attempt.timedOut = true;
      }
    }
  }

  /** Looks at all reconciles, and waits until the next look is due. */
  boolean watch() throws InterruptedException {
    long wait = Math.min(timeoutNanos, ActiveReconcile.SLOW.toNanos());
    for (ActiveReconcile reconcile : active) {
      wait = Math.min(wait, check(reconcile));
    }
    // A reconcile that begins during the wait is not due before the wait ends.
    clock.sleep(Duration.ofNanos(wait));
    return true;
  }

  /** Returns when to check the reconcile again, in nanoseconds from now. */
  private long check(ActiveReconcile reconcile) {
    long now = clock.nanoTime();
    long time = now - reconcile.startedAt;
    long next = Long.MAX_VALUE;
    if (timeout != null) {
      long left = timeoutNanos - time;
      if (left > 0) {
        next = left;
      } else if (reconcile.timeOut()) {
        metrics.timedOut();
      }
    }
    if (reconcile.isSlow(now)) {
      log.slow(
          reconcile.request, Duration.ofNanos(time), reconcile.isTimedOut(), reconcile.stack());
    }
    return Math.min(next, reconcile.untilWarning(now));
  }

  /** Logs the reconciles of other threads that have not ended. */
  void logLeftBehind() {
    for (ActiveReconcile reconcile : active) {
      if (!reconcile.isOfCurrentThread()) {
        log.leftBehind("A reconcile", ReconcileLog.named(reconcile.request), reconcile.stack());
      }
    }
  }
}
