package dev.clientgo.rest;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/**
 * Says when a request may be sent. Must be safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code flowcontrol.RateLimiter}. Unlike client-go: clients have
 * none by themselves, since API servers protect themselves by priority and fairness, and a client
 * that waits in silence is hard to understand. A wait of more than a second is logged.
 */
@FunctionalInterface
public interface RequestRateLimiter {

  /** Lets everything pass at once. */
  RequestRateLimiter UNLIMITED = () -> Duration.ZERO;

  /** Takes a turn, and returns how long to wait until it has come. */
  Duration reserve();

  /**
   * Gives a turn back whose request is not sent after all, since its deadline comes first or its
   * thread was interrupted. Does nothing by itself.
   */
  default void cancel() {}

  /**
   * Returns a token bucket: as many requests a second, and some more after a time of rest.
   *
   * @param qps how many a second, in the long run
   * @param burst how many at once
   * @throws IllegalArgumentException if one of them is not positive
   */
  static RequestRateLimiter tokenBucket(double qps, int burst) {
    return new TokenBucket(qps, burst, Clock.system());
  }
}
