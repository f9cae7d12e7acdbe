package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.clientgo.clock.CrashLog;
import java.util.function.Predicate;

/**
 * Logs failures of handlers so that the log stays readable: a trace for what looks like a bug, one
 * line for what else lasts, nothing above DEBUG for what the first retry mends.
 */
final class FailureLog {

  /** How often a routine failure of an item may repeat before it is a warning. */
  static final int ROUTINE_REPEATS = 5;

  private final System.Logger logger;
  private final Predicate<? super Throwable> routine;

  FailureLog(System.Logger logger, Predicate<? super Throwable> routine) {
    this.logger = logger;
    this.routine = routine;
  }

  void log(ItemHandler.Failure<?> failure, boolean closing) {
    String message = describe(failure);
    if (!closing && isBug(failure.error())) {
      CrashLog.log(logger, WARNING, message, failure.error());
      return;
    }
    if (failure.dropped() || (!closing && failure.requeues() >= quietRepeats(failure.error()))) {
      logger.log(WARNING, message);
    }
    CrashLog.log(logger, DEBUG, message, failure.error());
  }

  private int quietRepeats(Throwable error) {
    // An outcome that one retry mends, such as a conflict, is not worth a line in the log.
    return routine.test(error) ? ROUTINE_REPEATS : 1;
  }

  /** Returns whether this is an unchecked exception or an error of the JDK itself. */
  private static boolean isBug(Throwable error) {
    return (error instanceof RuntimeException || error instanceof Error)
        && error.getClass().getModule() == Object.class.getModule();
  }

  private static String describe(ItemHandler.Failure<?> failure) {
    return (failure.dropped()
            ? "A handler failed; the item is dropped, its retries are used up"
            : "A handler failed; the item is tried again")
        + ": item="
        + CrashLog.line(String.valueOf(failure.item()))
        + " requeues="
        + failure.requeues()
        + " error="
        + CrashLog.text(failure.error());
  }
}
