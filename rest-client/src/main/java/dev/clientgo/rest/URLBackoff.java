package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds requests to a server back that says it has too much to do: each answer of status 429 or 5xx
 * doubles the time, any other ends it. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.URLBackoff}; clients have none by themselves unless the
 * environment asks for it.
 */
public final class URLBackoff {

  /** Holds nothing back. */
  static final URLBackoff NONE = new URLBackoff(Duration.ZERO, Duration.ZERO);

  /** How long the next request waits, and when that was found out. */
  private record Entry(Duration delay, long since) {}

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Duration base;
  private final Duration max;

  private URLBackoff(Duration base, Duration max) {
    this.base = requireNonNull(base, "base");
    this.max = requireNonNull(max, "max");
  }

  /**
   * Returns one of which no server is known yet.
   *
   * @param base the time after the first such answer
   * @param max the longest time
   */
  public static URLBackoff of(Duration base, Duration max) {
    return new URLBackoff(base, max);
  }

  /** Returns what the environment asks for, nothing if that is no two numbers of seconds. */
  static URLBackoff of(Map<String, String> environment) {
    String base = environment.getOrDefault("KUBE_CLIENT_BACKOFF_BASE", "");
    String max = environment.getOrDefault("KUBE_CLIENT_BACKOFF_DURATION", "");
    return isNumber(base) && isNumber(max)
        ? of(Duration.ofSeconds(Long.parseLong(base)), Duration.ofSeconds(Long.parseLong(max)))
        : NONE;
  }

  private static boolean isNumber(String seconds) {
    return !seconds.isEmpty() && seconds.matches("[0-9]{1,9}");
  }

  /** Returns how long a request to a server is to wait. */
  Duration delay(String server) {
    Entry entry = entries.get(server);
    return entry == null ? Duration.ZERO : entry.delay;
  }

  /**
   * Takes note of an answer.
   *
   * @param server its host and port
   * @param code its status, 0 if there was none
   * @param now in nanoseconds, of any clock
   */
  void update(String server, int code, long now) {
    if (base.isZero() || !(code == 429 || code > 499)) {
      entries.remove(server);
    } else {
      entries.merge(server, new Entry(base, now), this::longer);
    }
  }

  /** What was long ago does not count any more. */
  private Entry longer(Entry before, Entry first) {
    if (first.since - before.since > max.multipliedBy(2).toNanos()) {
      return first;
    }
    Duration twice = before.delay.multipliedBy(2);
    return new Entry(twice.compareTo(max) > 0 ? max : twice, first.since);
  }
}
