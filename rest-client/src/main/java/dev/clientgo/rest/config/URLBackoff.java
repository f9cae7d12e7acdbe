package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Delays requests to an overloaded server: each response with status 429 or 5xx doubles the delay,
 * any other response ends it. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.URLBackoff}. Clients have no such delay unless the
 * environment sets one.
 */
public final class URLBackoff {

  /** Delays no request. */
  static final URLBackoff NONE = new URLBackoff(Duration.ZERO, Duration.ZERO);

  /** The delay of the next request, and the time of the response that set it. */
  private record Entry(Duration delay, long since) {}

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Duration base;
  private final Duration max;

  private URLBackoff(Duration base, Duration max) {
    this.base = requireNonNull(base, "base");
    this.max = requireNonNull(max, "max");
  }

  /**
   * Returns a backoff that has seen no response yet.
   *
   * @param base the delay after the first such response
   * @param max the longest delay
   */
  public static URLBackoff of(Duration base, Duration max) {
    return new URLBackoff(base, max);
  }

  /**
   * Returns the backoff that environment variables set, in seconds: {@code
   * KUBE_CLIENT_BACKOFF_BASE} and {@code KUBE_CLIENT_BACKOFF_DURATION}. Unless both are numbers, it
   * delays no request.
   */
  public static URLBackoff of(Map<String, String> environment) {
    String base = environment.getOrDefault("KUBE_CLIENT_BACKOFF_BASE", "");
    String max = environment.getOrDefault("KUBE_CLIENT_BACKOFF_DURATION", "");
    return isNumber(base) && isNumber(max)
        ? of(Duration.ofSeconds(Long.parseLong(base)), Duration.ofSeconds(Long.parseLong(max)))
        : NONE;
  }

  private static boolean isNumber(String seconds) {
    return !seconds.isEmpty() && seconds.matches("[0-9]{1,9}");
  }

  /** Returns how long the next request to a server must wait. */
  public Duration delay(String server) {
    Entry entry = entries.get(server);
    return entry == null ? Duration.ZERO : entry.delay;
  }

  /**
   * Records a response.
   *
   * @param server the host and the port of the server
   * @param code the HTTP status, 0 if there was no response
   * @param now the time in nanoseconds, of any monotonic clock
   */
  public void update(String server, int code, long now) {
    if (base.isZero() || !(code == 429 || code > 499)) {
      entries.remove(server);
    } else {
      entries.merge(server, new Entry(base, now), this::longer);
    }
  }

  /** An entry older than twice the longest delay does not count. */
  private Entry longer(Entry before, Entry first) {
    if (first.since - before.since > max.multipliedBy(2).toNanos()) {
      return first;
    }
    Duration twice = before.delay.multipliedBy(2);
    return new Entry(twice.compareTo(max) > 0 ? max : twice, first.since);
  }
}
