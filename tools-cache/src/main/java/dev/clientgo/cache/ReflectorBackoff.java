package dev.clientgo.cache;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.clock.Clock;
import java.time.Duration;

/**
 * Makes a Reflector wait before it sends the next request.
 *
 * <p>Two kinds of waits grow apart from each other. A failure, such as a refused connection, a 429
 * or a watch that ended at once without an event, shows that the server is in trouble: the backoff
 * of the options follows. A stream that ended early but had events shows that the network is in
 * trouble: each attempt brings the cache forward, so the next one follows after a tenth of a
 * second, and after a second at most if this happens again and again. That much is needed, or a
 * server that always ends streams early would make the Reflector spin.
 *
 * <p>Used by one thread.
 */
final class ReflectorBackoff {

  private static final Backoff EARLY_ENDS =
      Backoff.builder(Duration.ofMillis(100)).factor(2).cap(Duration.ofSeconds(1)).build();

  /** Longer than the longest wait together with a watch that is short. */
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
    Reflector.State before = health.state;
    health.state = Reflector.State.BACKING_OFF;
    clock.sleep(duration);
    health.state = before;
  }

  /**
   * Has the next failure count as the first one, because a watch has lived and brought events.
   *
   * <p>Unlike client-go, whose waits begin anew every two minutes and not before: after a server
   * was killed twice within that time, client-go asks for it only every 30 to 60 s.
   */
  void recovered() {
    failures = options.delays();
  }
}
