package dev.clientgo.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of one controller, kept readable: a trace for what looks like a bug, one line for other
 * failures that last, and a limit for both. Each failure is logged at DEBUG.
 */
final class ReconcileLog {

  private static final Logger LOG = System.getLogger(Controller.class.getName());

  /** How many warnings about failures are logged in one interval. */
  static final int LIMIT = 20;

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How often a conflict may repeat for one request before it is worth a line. */
  private static final int ROUTINE_REPEATS = 5;

  private final String controller;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private long intervalStart;

  @GuardedBy("lock")
  private int inInterval;

  ReconcileLog(String controller, Clock clock) {
    this.controller = controller;
    this.clock = clock;
    this.intervalStart = clock.nanoTime();
  }

  /** Returns whether this is an unchecked exception or an error of the JDK itself. */
  static boolean isPanic(Throwable error) {
    return error instanceof Error
        || (error instanceof RuntimeException
            && !(error instanceof UncheckedIOException)
            && error.getClass().getModule() == Object.class.getModule());
  }

  /**
   * Logs a failed reconcile.
   *
   * @param failures how often the request had failed in a row before
   */
  void failed(Request request, Throwable error, int failures, boolean terminal) {
    String message =
        (terminal ? "Reconcile failed for good" : "Reconcile failed, it is tried again")
            + ": controller="
            + controller
            + " request="
            + request
            + " failures="
            + (failures + 1)
            + " error="
            + error.toString().strip().replaceAll("\\s*\\R\\s*", " ");
    LOG.log(Level.DEBUG, message, error);
    if (isPanic(error)) {
      warn(message, error);
    } else if (terminal || failures >= quietRepeats(error)) {
      warn(message, null);
    }
  }

  /** One retry mends most failures, and a few mend conflicts: not worth a line. */
  private static int quietRepeats(Throwable error) {
    return ApiStatusException.find(error)
        .filter(status -> status.isConflict() || status.isNotFound())
        .map(status -> ROUTINE_REPEATS)
        .orElse(1);
  }

  /** Logs that a reconcile was interrupted because its controller is being closed. */
  void interrupted(Request request) {
    LOG.log(Level.DEBUG, "Reconcile interrupted: controller={0} request={1}", controller, request);
  }

  /** Logs that an event could not be mapped to requests. */
  void eventFailed(String source, String object, RuntimeException error) {
    warn(
        "A predicate or a mapping failed: controller="
            + controller
            + " source="
            + source
            + " object="
            + object,
        error);
  }

  private void warn(String message, @Nullable Throwable error) {
    int number;
    lock.lock();
    try {
      long now = clock.nanoTime();
      if (now - intervalStart >= INTERVAL.toNanos()) {
        if (inInterval > LIMIT) {
          LOG.log(
              Level.WARNING,
              "Failures that were not logged: controller={0} count={1}",
              controller,
              inInterval - LIMIT);
        }
        intervalStart = now;
        inInterval = 0;
      }
      number = ++inInterval;
    } finally {
      lock.unlock();
    }
    if (number > LIMIT) {
      return;
    }
    String more = number < LIMIT ? "" : "; more failures are not logged for a minute";
    if (error == null) {
      LOG.log(Level.WARNING, message + more);
    } else {
      LOG.log(Level.WARNING, message + more, error);
    }
  }

  /** Logs a request that is reconciled again and again. */
  void flood(Request request) {
    warn(
        "A request is reconciled again and again: controller="
            + controller
            + " request="
            + request
            + " reconciles="
            + FloodDetector.LIMIT
            + " within="
            + FloodDetector.INTERVAL
            + "; does the reconciler change its object at each call, or return a short requeueAfter?"
            + " A DebugRecorder shows the causes",
        null);
  }

  /** Logs a reconcile that takes long, with the place where it is. */
  void slow(Request request, Duration time, boolean timedOut, StackTraceElement[] stack) {
    Throwable where = new Throwable("the reconcile is here");
    where.setStackTrace(stack);
    LOG.log(
        Level.WARNING,
        "A reconcile takes long"
            + (timedOut ? " and does not react to being interrupted" : "")
            + ", its worker does nothing else: controller="
            + controller
            + " request="
            + request
            + " time="
            + time,
        where);
  }

  /** Logs a reconcile that did not end when the controller was closed. */
  void leftBehind(Request request, StackTraceElement[] stack) {
    Throwable where = new Throwable("the reconcile is here");
    where.setStackTrace(stack);
    LOG.log(
        Level.WARNING,
        "A reconcile did not end when its controller was closed; its thread is left behind:"
            + " controller="
            + controller
            + " request="
            + request,
        where);
  }

  void info(String message) {
    LOG.log(Level.INFO, message + ": controller=" + controller);
  }

  void warning(String message) {
    LOG.log(Level.WARNING, message + ": controller=" + controller);
  }
}
