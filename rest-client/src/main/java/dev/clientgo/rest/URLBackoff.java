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

  private final Map<String, Duration> delays = new ConcurrentHashMap<>();
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

  /** Returns how long a request to a host is to wait. */
  Duration delay(String host) {
    return delays.getOrDefault(host, Duration.ZERO);
  }

  /**
   * Takes note of an answer.
   *
   * @param code its status, 0 if there was none
   */
  void update(String host, int code) {
    if (base.isZero() || !(code == 429 || code > 499)) {
      delays.remove(host);
      return;
    }
    delays.merge(
        host,
        base,
        (before, first) -> {
          Duration twice = before.multipliedBy(2);
          return twice.compareTo(max) > 0 ? max : twice;
        });
  }
}
