package dev.clientgo.cache.internal.errors;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Writes the errors of Reflectors to the log.
 *
 * <p>The reflector waits after each error of the server, so those need no limit. Errors of objects
 * come as fast as the objects, so they are limited.
 *
 * <p>Safe for use by many threads.
 */
public final class ErrorLog {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How many errors of objects are logged in one interval. */
  private static final int LIMIT = 10;

  /** A limit, because causes may form a circle. */
  private static final int MAX_DEPTH = 50;

  /** The object errors of one reflector in the current interval. */
  private static final class Interval {
    private long start;
    private int logged;
    private final Set<StackTraceElement> traced = new HashSet<>();

    Interval(long start) {
      this.start = start;
    }

    /** Begins the next interval if this one has ended. */
    void advance(long now) {
      if (now - start >= INTERVAL.toNanos()) {
        start = now;
        logged = 0;
        traced.clear();
      }
    }
  }

  @GuardedBy("this")
  private final Map<Object, Interval> intervals = new WeakHashMap<>();

  /**
   * Writes an error.
   *
   * @param reflector the Reflector that has the error
   * @param name its name
   */
  public void write(Object reflector, String name, Clock clock, RuntimeException error) {
    if (ServerErrors.isExpired(error)) {
      LOG.log(Level.DEBUG, () -> "The watch expired: reflector=" + name, error);
    } else if (ServerErrors.isClientClosed(error)) {
      LOG.log(
          Level.WARNING,
          "The client was closed while it was in use; close informers first: reflector={0}",
          name);
    } else if (error instanceof ApiStatusException || error instanceof TransportException) {
      LOG.log(
          Level.WARNING, "List or watch failed: reflector={0} error={1}", name, error.getMessage());
    } else {
      objectFailed(reflector, name, clock, error);
    }
  }

  private synchronized void objectFailed(
      Object reflector, String name, Clock clock, RuntimeException error) {
    Interval interval = intervals.computeIfAbsent(reflector, any -> new Interval(clock.nanoTime()));
    interval.advance(clock.nanoTime());
    interval.logged++;
    if (interval.logged > LIMIT) {
      return;
    }
    String more =
        interval.logged < LIMIT
            ? ""
            : "; more errors of objects are not logged for a minute, health().omitted() has their"
                + " number";
    if (error instanceof CodecException) {
      LOG.log(
          Level.WARNING,
          "Cannot read what the server sent: reflector={0} error={1}{2}",
          name,
          error.getMessage(),
          more);
    } else if (interval.traced.add(origin(error))) {
      CrashLog.log(LOG, Level.WARNING, "Failed: reflector=" + name + more, error);
    } else {
      LOG.log(Level.WARNING, "Failed: reflector={0} error={1}{2}", name, error.getMessage(), more);
    }
  }

  /** Returns where the error was thrown first. */
  private static StackTraceElement origin(Throwable error) {
    Throwable root = error;
    for (int depth = 0; root.getCause() != null && depth < MAX_DEPTH; depth++) {
      root = root.getCause();
    }
    StackTraceElement[] trace = root.getStackTrace();
    return trace.length == 0
        ? new StackTraceElement(root.getClass().getName(), "", null, 0)
        : trace[0];
  }
}
