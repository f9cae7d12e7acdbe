package dev.clientgo.cache;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.clock.Clock;
import java.time.Duration;

/**
 * Makes a Reflector wait before it sends the next request. There are two series of waits, which
 * grow independently:
 *
 * <ul>
 *   <li>After a failure, such as a refused connection, a 429, or a watch that ended at once without
 *       an event, the server is in trouble. The waits follow the backoff of the options.
 *   <li>After a stream that ended early but had events, the network is in trouble, but each attempt
 *       brings the cache forward. The waits grow from 0.1 s to 1 s. Without them, a server that
 *       always ends streams early would make the Reflector spin.
 * </ul>
 *
 * <p>Used by one thread.
 */
final class ReflectorBackoff {

  private static final Backoff EARLY_ENDS =
      Backoff.builder(Duration.ofMillis(100)).factor(2).cap(Duration.ofSeconds(1)).build();

  /** Longer than the longest wait together with a short watch. */
  private static final Duration EARLY_ENDS_RESET = Duration.ofSeconds(2);

  private final ReflectorOptions options;
  private final ReflectorHealth health;
  private final Clock clock;
  private final DelayFunction earlyEnds;
  private DelayFunction failures;

  ReflectorBackoff(ReflectorOptions options, ReflectorHealth health) {
    this.options = options;
    this.health = health;
    this.clock = options.clock();
    this.failures = options.delays();
    this.earlyEnds = EARLY_ENDS.delaysWithIdleReset(clock, options.random(), EARLY_ENDS_RESET);
  }

  /** Waits after a failure. */
  void pauseAfterFailure() throws InterruptedException {
    pause(failures.next());
  }

  /** Waits after a stream that ended within a second, but had events. */
  void pauseAfterEarlyEnd() throws InterruptedException {
    pause(earlyEnds.next());
  }

  private void pause(Duration duration) throws InterruptedException {
    ReflectorState before = health.state;
    health.state = ReflectorState.BACKING_OFF;
    clock.sleep(duration);
    health.state = before;
  }

  /**
   * Resets the waits after failures, because a watch has lived for a second and brought events.
   *
   * <p>Unlike client-go, which resets only every two minutes: if a server is killed twice within
   * that time, client-go asks for it only every 30 to 60 s.
   */
  void recovered() {
    failures = options.delays();
  }
}
