package dev.clientgo.workqueue;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Decides how long an item that has failed waits before it is tried again.
 *
 * <p>Implementations must be safe for use by many threads. Queues never call them under a lock.
 *
 * <p>Made for extension. Corresponds to client-go's {@code util/workqueue.TypedRateLimiter}; the
 * factory methods make client-go's limiters.
 *
 * @param <T> the type of items
 */
public interface RateLimiter<T> {

  /** Counts a failure of the item and returns how long the item should wait. */
  Duration delayFor(T item);

  /** Forgets the failures of the item, because it has succeeded or is given up. */
  void forget(T item);

  /** Returns how often the item has failed since it was last forgotten. */
  int numRequeues(T item);

  /**
   * Returns the limiter that client-go gives to controllers: the longer delay of 5 ms to 1000 s per
   * item, doubling with each failure, and of 10 retries a second, after a burst of 100, for all
   * items together.
   *
   * <p>Corresponds to {@code DefaultTypedControllerRateLimiter}.
   */
  static <T> RateLimiter<T> defaultController() {
    return defaultController(Clock.system());
  }

  /** Returns {@link #defaultController()} on another clock. */
  static <T> RateLimiter<T> defaultController(Clock clock) {
    return maxOf(
        List.of(
            RateLimiter.<T>itemExponentialFailure(Duration.ofMillis(5), Duration.ofSeconds(1000)),
            RateLimiter.<T>bucket(10, 100, clock)));
  }

  /**
   * Returns a limiter of 1 ms to 1000 s per item, doubling with each failure.
   *
   * <p>Corresponds to {@code DefaultTypedItemBasedRateLimiter}.
   */
  static <T> RateLimiter<T> defaultItemBased() {
    return itemExponentialFailure(Duration.ofMillis(1), Duration.ofSeconds(1000));
  }

  /**
   * Returns a limiter that lets an item wait for {@code baseDelay} after its first failure and
   * twice as long after each further one, but never longer than {@code maxDelay}, however many
   * there are.
   *
   * <p>Corresponds to {@code TypedItemExponentialFailureRateLimiter}.
   *
   * @throws IllegalArgumentException if a delay is negative
   */
  static <T> RateLimiter<T> itemExponentialFailure(Duration baseDelay, Duration maxDelay) {
    return new RateLimiters.ItemExponentialFailure<>(baseDelay, maxDelay);
  }

  /**
   * Returns a limiter that lets an item wait for {@code fastDelay} after each of its first {@code
   * maxFastAttempts} failures, and for {@code slowDelay} after each further one.
   *
   * <p>Corresponds to {@code TypedItemFastSlowRateLimiter}.
   *
   * @throws IllegalArgumentException if an argument is negative
   */
  static <T> RateLimiter<T> itemFastSlow(
      Duration fastDelay, Duration slowDelay, int maxFastAttempts) {
    return new RateLimiters.ItemFastSlow<>(fastDelay, slowDelay, maxFastAttempts);
  }

  /** Returns {@link #bucket(double, int, Clock)} on the clock of the machine. */
  static <T> RateLimiter<T> bucket(double qps, int burst) {
    return bucket(qps, burst, Clock.system());
  }

  /**
   * Returns a limiter for all items together: a token bucket. It does not tell items apart, so
   * there is nothing to forget and {@code numRequeues} is 0.
   *
   * <p>Corresponds to {@code TypedBucketRateLimiter}.
   *
   * @param qps how many tokens come in a second
   * @param burst how many tokens there are at first, and at most
   * @throws IllegalArgumentException if {@code qps} is not a positive number, or {@code burst} is
   *     less than 1
   */
  static <T> RateLimiter<T> bucket(double qps, int burst, Clock clock) {
    return new RateLimiters.Bucket<>(qps, burst, clock);
  }

  /**
   * Returns a limiter that asks all the given ones and returns the longest delay and the largest
   * number of requeues.
   *
   * <p>Corresponds to {@code TypedMaxOfRateLimiter}.
   */
  static <T> RateLimiter<T> maxOf(List<? extends RateLimiter<? super T>> limiters) {
    return new RateLimiters.MaxOf<>(limiters);
  }

  /**
   * Returns a limiter with the delays of this one, but none longer than {@code maxDelay}.
   *
   * <p>Corresponds to {@code TypedWithMaxWaitRateLimiter}.
   */
  default RateLimiter<T> withMaxWait(Duration maxDelay) {
    return new RateLimiters.WithMaxWait<>(this, maxDelay);
  }
}
