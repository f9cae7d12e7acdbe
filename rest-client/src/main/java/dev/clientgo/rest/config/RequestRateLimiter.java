package dev.clientgo.rest.config;

import dev.clientgo.clock.Clock;
import java.time.Duration;

/**
 * Limits the rate of requests. Implementations must be safe for use by many threads.
 *
 * <pre>{@code
 * RESTClient.builder(config).rateLimiter(RequestRateLimiter.tokenBucket(5, 10)).build();
 * }</pre>
 *
 * <p>Each attempt to send a request takes a turn; a watch that is opened for the first time takes
 * none. Clients that share a limiter share its rate.
 *
 * <p>Corresponds to client-go's {@code flowcontrol.RateLimiter}. Unlike client-go: clients have no
 * rate limiter by default, because API servers protect themselves by priority and fairness, and a
 * client that waits silently is hard to debug. A wait of more than one second is logged.
 */
@FunctionalInterface
public interface RequestRateLimiter {

  /** Delays no request. */
  RequestRateLimiter UNLIMITED = () -> Duration.ZERO;

  /** Reserves a turn, and returns how long to wait for it. */
  Duration reserve();

  /**
   * Returns a turn whose request is not sent, because its deadline is too near or its thread was
   * interrupted. Does nothing by default.
   */
  default void cancel() {}

  /**
   * Returns a token bucket.
   *
   * @param qps requests per second, on average
   * @param burst the most requests at once
   * @throws IllegalArgumentException if one of them is not positive
   */
  static RequestRateLimiter tokenBucket(double qps, int burst) {
    return tokenBucket(qps, burst, Clock.system());
  }

  /** Returns a token bucket that reads the time from a clock. */
  static RequestRateLimiter tokenBucket(double qps, int burst, Clock clock) {
    return new TokenBucket(qps, burst, clock);
  }
}
