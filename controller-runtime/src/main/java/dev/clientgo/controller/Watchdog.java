package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.controller.internal.reconcile.ActiveReconcile;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts reconciles that take longer than their timeout, and warns of those that take long.
 * Safe for use by many threads.
 */
final class Watchdog implements Attempt.Step {

  private final String controller;
  private final @Nullable Duration timeout;
  private final long timeoutNanos;
  private final ReconcileMetrics metrics;
  private final ReconcileLog log;
  private final Clock clock;
  private final Set<ActiveReconcile> active = ConcurrentHashMap.newKeySet();

  /** Creates an instance; no {@code timeout} means that there is no limit. */
  Watchdog(
      String controller,
      @Nullable Duration timeout,
      ReconcileMetrics metrics,
      ReconcileLog log,
      Clock clock) {
    this.controller = controller;
    this.timeout = timeout;
    this.timeoutNanos = timeout == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(timeout);
    this.metrics = metrics;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public void run(Attempt attempt) throws InterruptedException {
    ActiveReconcile reconcile = attempt.reconcile;
    active.add(reconcile);
    try {
      attempt.proceed();
    } finally {
      boolean timedOut = reconcile.end();
      active.remove(reconcile);
      if (timeout != null && timedOut && attempt.error != null) {
        attempt.error =
            new ReconcileTimeoutException(controller, attempt.request, timeout, attempt.error);
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
