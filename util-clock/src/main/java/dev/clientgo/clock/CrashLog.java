package dev.clientgo.clock;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.io.Writer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs and counts what a user's code throws in a loop of this library, so that the loop continues
 * and its health reports the failures.
 *
 * <pre>{@code
 * try {
 *   callback.run();
 *   crashes.succeeded();
 * } catch (Throwable e) {
 *   crashes.failed("A callback failed: callback=" + name, e);
 * }
 * }</pre>
 *
 * <p>No method throws, whatever the error is: its text may be code of the user, too, and there may
 * be no memory for the message. The log has the failures 1, 2, 4, 8, … of a row. Safe for use by
 * many threads.
 *
 * <p>One success ends a row: code that fails for some objects alone is no reason to end or restart
 * the others. The log and {@link #failures} tell of it. Code that is not called any more keeps its
 * row, because nothing shows that it works.
 *
 * <p>Corresponds to {@code HandleCrash} and {@code HandleError} of {@code
 * k8s.io/apimachinery/pkg/util/runtime}.
 */
public final class CrashLog {

  /** How many failures in a row are a {@link #problem}. */
  public static final int UNHEALTHY_AFTER = 3;

  private static final char NEXT_LINE = '\u0085';

  private final BiConsumer<String, Throwable> log;

  private long failures;
  private volatile long inARow;
  private volatile String last = "";

  /** Creates an instance without failures that logs to the logger of the loop. */
  public CrashLog(Logger log) {
    this((message, error) -> log(log, Level.ERROR, message, error));
    requireNonNull(log, "log");
  }

  /**
   * Creates an instance without failures, for a loop that limits its own log.
   *
   * @param log receives the message and the error; must not throw
   */
  public CrashLog(BiConsumer<String, Throwable> log) {
    this.log = requireNonNull(log, "log");
  }

  /**
   * Counts a failure and logs it as an error.
   *
   * @param message what failed, for the log and for {@link #problem}
   */
  public void failed(String message, Throwable error) {
    count(message, error);
  }

  /** Counts and logs a failure; the message is a text or supplies one. */
  private void count(Object message, Throwable error) {
    long row;
    synchronized (this) {
      failures++;
      row = inARow + 1;
      inARow = row;
    }
    try {
      Object text = message instanceof Supplier<?> supplier ? supplier.get() : message;
      String failed = String.valueOf(text);
      last = failed + " error=" + text(error);
      if (Long.bitCount(row) == 1) {
        log.accept(row == 1 ? failed : failed + " inARow=" + row, error);
      }
    } catch (Throwable e) {
      // No memory for the text, or no stack.
    }
  }

  /**
   * Returns what the user's code returns. If it throws, counts the failure and returns the other
   * value.
   *
   * @param message what failed; called only then
   */
  public <R> R call(Supplier<String> message, R otherwise, Callable<R> code) {
    try {
      R result = code.call();
      succeeded();
      return result;
    } catch (Throwable e) {
      count(message, e);
      return otherwise;
    }
  }

  /** Ends the row of failures. */
  public void succeeded() {
    if (inARow != 0) { // Most calls need no lock.
      synchronized (this) {
        inARow = 0;
      }
    }
  }

  /** Returns how many failures there were. */
  public synchronized long failures() {
    return failures;
  }

  /** Returns the last failure if at least {@value #UNHEALTHY_AFTER} came in a row. */
  public synchronized Optional<String> problem() {
    return inARow < UNHEALTHY_AFTER
        ? Optional.empty()
        : Optional.of(inARow + " failures in a row: " + last);
  }

  /** Logs a message. If the text of its error cannot be read, logs the class and stack instead. */
  public static void log(Logger log, Level level, String message, @Nullable Throwable error) {
    try {
      if (log.isLoggable(level)) {
        log.log(level, message, error == null ? null : printable(error));
      }
    } catch (Throwable e) {
      // A logger of the user, which must not end the loop either.
    }
  }

  /** Returns the text of an error in one line; its class if its text cannot be read. */
  public static String text(Throwable error) {
    try {
      return line(error.toString());
    } catch (Throwable e) {
      return error.getClass().getName() + " (its text cannot be read)";
    }
  }

  /**
   * Returns a text from outside as part of one line of a log: a run of blanks and line breaks
   * becomes one blank, and a character that a terminal obeys becomes a question mark. So a name
   * cannot forge a line. Takes linear time.
   */
  public static String line(String text) {
    StringBuilder line = new StringBuilder(text.length());
    boolean gap = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == NEXT_LINE) {
        gap = line.length() > 0;
        continue;
      }
      if (gap) {
        line.append(' ');
        gap = false;
      }
      boolean hidden = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
      line.append(hidden ? '?' : c);
    }
    return line.toString();
  }

  /** Returns the error, or one like it if a logger could not print it. */
  public static Throwable printable(Throwable error) {
    try {
      error.printStackTrace(new PrintWriter(Writer.nullWriter()));
      return error;
    } catch (Throwable e) {
      Throwable standIn = new Throwable(text(error));
      try {
        standIn.setStackTrace(error.getStackTrace());
      } catch (Throwable unreadable) {
        // The stack of this call stays.
      }
      return standIn;
    }
  }
}
