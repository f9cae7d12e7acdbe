package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import java.time.Duration;
import java.util.function.Supplier;

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
public final class ReflectorBackoff {

  private static final Backoff EARLY_ENDS =
      Backoff.builder(Duration.ofMillis(100)).factor(2).cap(Duration.ofSeconds(1)).build();

  /** Longer than the longest wait together with a short watch. */
  private static final Duration EARLY_ENDS_RESET = Duration.ofSeconds(2);

  private final Supplier<DelayFunction> failureDelays;
  private final Pause pause;
  private final DelayFunction earlyEnds;
  private DelayFunction failures;

  /** Makes the thread wait. */
  @FunctionalInterface
  public interface Pause {

    /** Waits that long. */
    void pause(Duration duration) throws InterruptedException;
  }

  /** Creates an instance that waits with the given function. */
  public ReflectorBackoff(ReflectorSettings settings, Pause pause) {
    this.failureDelays = settings.failureDelays();
    this.pause = pause;
    this.failures = failureDelays.get();
    this.earlyEnds =
        EARLY_ENDS.delaysWithIdleReset(settings.clock(), settings.random(), EARLY_ENDS_RESET);
  }

  /** Waits after a failure. */
  public void pauseAfterFailure() throws InterruptedException {
    pause.pause(failures.next());
  }

  /** Waits after a stream that ended within a second, but had events. */
  void pauseAfterEarlyEnd() throws InterruptedException {
    pause.pause(earlyEnds.next());
  }

  /**
   * Resets the waits after failures, because a watch has lived for a second and brought events.
   *
   * <p>Unlike client-go, which resets only every two minutes: if a server is killed twice within
   * that time, client-go asks for it only every 30 to 60 s.
   */
  void recovered() {
    failures = failureDelays.get();
  }
}
