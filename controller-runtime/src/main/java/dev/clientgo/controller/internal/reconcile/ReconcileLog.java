package dev.clientgo.controller.internal.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
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
public final class ReconcileLog {

  private static final Logger LOG = System.getLogger("dev.clientgo.controller.Controller");

  /** How many warnings about failures are logged in one interval. */
  public static final int LIMIT = 20;

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

  public ReconcileLog(String controller, Clock clock) {
    this.controller = controller;
    this.clock = clock;
    this.intervalStart = clock.nanoTime();
  }

  /** Returns whether this is an unchecked exception or an error of the JDK itself. */
  public static boolean isPanic(Throwable error) {
    return error instanceof Error
        || (error instanceof RuntimeException
            && !(error instanceof UncheckedIOException)
            && error.getClass().getModule() == Object.class.getModule());
  }

  /**
   * Logs a failed reconcile.
   *
   * @param id the number of the reconcile
   * @param failures how often the request had failed in a row before
   */
  public void failed(Object request, long id, Throwable error, int failures, boolean terminal) {
    String message =
        (terminal ? "Reconcile failed for good" : "Reconcile failed, it is tried again")
            + ": controller="
            + controller
            + named(request)
            + " reconcileId="
            + id
            + " failures="
            + (failures + 1)
            + " error="
            + CrashLog.text(error);
    CrashLog.log(LOG, Level.DEBUG, message, error);
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
  public void interrupted(Object request) {
    log(Level.DEBUG, "Reconcile interrupted", named(request), null);
  }

  /** Logs a failure, unless there were too many within a minute. */
  public void warn(String message, @Nullable Throwable error) {
    int number;
    lock.lock();
    try {
      long now = clock.nanoTime();
      if (now - intervalStart >= INTERVAL.toNanos()) {
        if (inInterval > LIMIT) {
          String count = " count=" + (inInterval - LIMIT);
          log(Level.WARNING, "Failures that were not logged", count, null);
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
    CrashLog.log(LOG, Level.WARNING, message + more, error);
  }

  /** Logs a request that is reconciled again and again. */
  public void flood(Object request) {
    warn(
        "A request is reconciled again and again: controller="
            + controller
            + named(request)
            + " reconciles="
            + FloodDetector.LIMIT
            + " within="
            + FloodDetector.INTERVAL
            + "; does the reconciler change its object at each call, or return a short requeueAfter?"
            + " A DebugRecorder shows the causes",
        null);
  }

  /** Logs a reconcile that takes long, with the place where it is. */
  public void slow(Object request, Duration time, boolean timedOut, StackTraceElement[] stack) {
    log(
        Level.WARNING,
        "A reconcile takes long"
            + (timedOut ? " and does not react to being interrupted" : "")
            + " and occupies its worker",
        named(request) + " time=" + time,
        place(stack));
  }

  /** Logs what did not end when the controller was closed, such as a reconcile. */
  public void leftBehind(String what, String details, StackTraceElement[] stack) {
    String message =
        what + " did not end when its controller was closed; its thread is left behind";
    log(Level.WARNING, message, details, place(stack));
  }

  /** Returns the part of a line that names the request. */
  public static String named(Object request) {
    return " request=" + CrashLog.line(request.toString());
  }

  private static Throwable place(StackTraceElement[] stack) {
    Throwable where = new Throwable("the thread is here");
    where.setStackTrace(stack);
    return where;
  }

  public void info(String message) {
    log(Level.INFO, message, "", null);
  }

  public void warning(String message) {
    log(Level.WARNING, message, "", null);
  }

  private void log(Level level, String message, String details, @Nullable Throwable error) {
    CrashLog.log(LOG, level, message + ": controller=" + controller + details, error);
  }
}
