package dev.clientgo.events.internal.writing;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs problems with events, each topic at most once a minute, so that a program that records
 * 100,000 events a second does not log as many lines. Each line counts those left out since the
 * last one. Safe for use by many threads.
 */
public final class EventLog {

  private static final Logger LOG = System.getLogger("dev.clientgo.events");
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The problems that are counted apart. */
  public enum Topic {
    /** The queue is full. */
    DROPPED,
    /** A call of a recorder is wrong. */
    INVALID,
    /** A note was cut. */
    TRUNCATED,
    /** An attempt to write an event has failed, and another follows. */
    RETRIED,
    /** An event is given up. */
    FAILED
  }

  /** When a topic was logged, and how often it came up since. */
  private static final class Said {
    final AtomicLong nanos = new AtomicLong(Long.MIN_VALUE);
    final AtomicLong leftOut = new AtomicLong();
  }

  private final Clock clock;
  private final long start;
  private final Map<Topic, Said> said = new EnumMap<>(Topic.class); // Complete, so only read.

  /** Creates a log that measures minutes with a clock. */
  public EventLog(Clock clock) {
    this.clock = clock;
    this.start = clock.nanoTime();
    for (Topic topic : Topic.values()) {
      said.put(topic, new Said());
    }
  }

  /** Logs a problem, or counts it if the topic was logged less than a minute ago. */
  public void warn(Topic topic, Supplier<String> message, @Nullable Throwable error) {
    Said last = requireNonNull(said.get(topic));
    long now = clock.nanoTime() - start;
    long before = last.nanos.get();
    boolean isDue = before == Long.MIN_VALUE || now - before >= QUIET_NANOS;
    if (isDue && last.nanos.compareAndSet(before, now)) {
      long leftOut = last.leftOut.getAndSet(0);
      String more = leftOut == 0 ? "" : " (and " + leftOut + " more since the last such line)";
      CrashLog.log(LOG, Level.WARNING, message.get() + more, error);
    } else {
      last.leftOut.incrementAndGet();
    }
  }

  /** Logs something for developers. */
  public void debug(Supplier<String> message) {
    LOG.log(Level.DEBUG, message);
  }
}
