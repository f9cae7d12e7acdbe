package dev.clientgo.cache;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import java.time.Duration;

/**
 * How long a Reflector waits before it sends the next request.
 *
 * <p>Two waits grow apart from each other. A failure, such as a refused connection, a 429 or a
 * watch that ended at once without an event, is followed by the backoff of the options: it says
 * that the server is in trouble. A stream that ended early although events came says that the
 * network is in trouble: the server is well, each attempt brings the cache forward, and only a
 * server that does this for ever must be kept from making the Reflector spin. Such a stream is
 * followed by a tenth of a second, and by a second at most if this happens again and again.
 *
 * <p>Used by one thread.
 */
final class ReflectorBackoff {

  private static final Backoff EARLY_ENDS =
      Backoff.builder(Duration.ofMillis(100)).factor(2).cap(Duration.ofSeconds(1)).build();

  /** Longer than the longest wait together with a watch that is short. */
  private static final Duration EARLY_ENDS_RESET = Duration.ofSeconds(2);

  private final ReflectorOptions options;
  private final DelayFunction earlyEnds;
  private DelayFunction failures;

  ReflectorBackoff(ReflectorOptions options) {
    this.options = options;
    this.failures = options.delays();
    this.earlyEnds =
        EARLY_ENDS.delaysWithIdleReset(options.clock(), options.random(), EARLY_ENDS_RESET);
  }

  /** Returns how long to wait after a failure. */
  Duration afterFailure() {
    return failures.next();
  }

  /** Returns how long to wait after a stream that ended within a second, but had events. */
  Duration afterEarlyEnd() {
    return earlyEnds.next();
  }

  /**
   * Has the next failure count as the first one, because a watch has lived and brought events.
   *
   * <p>Unlike client-go, whose waits begin anew every two minutes and not before: a server that is
   * killed twice within that time is then looked for every 30 to 60 s from the start.
   */
  void recovered() {
    failures = options.delays();
  }
}
