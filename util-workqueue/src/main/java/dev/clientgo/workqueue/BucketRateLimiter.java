package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** A token bucket that lends: if it is empty, it returns the time until the lent token is there. */
final class BucketRateLimiter<T> implements RateLimiter<T> {

  private final ReentrantLock lock = new ReentrantLock();
  private final double qps;
  private final int burst;
  private final Clock clock;

  /** Less than zero if tokens are lent. */
  @GuardedBy("lock")
  private double tokens;

  @GuardedBy("lock")
  private long lastNanos;

  BucketRateLimiter(double qps, int burst, Clock clock) {
    if (!(qps > 0) || Double.isInfinite(qps) || burst < 1) {
      throw new IllegalArgumentException(
          "a bucket needs a positive rate and a burst of at least 1: qps="
              + qps
              + ", burst="
              + burst);
    }
    this.qps = qps;
    this.burst = burst;
    this.clock = requireNonNull(clock, "clock");
    this.tokens = burst;
    this.lastNanos = clock.nanoTime();
  }

  @Override
  public Duration delayFor(T item) {
    lock.lock();
    try {
      long now = clock.nanoTime();
      tokens = Math.min(burst, tokens + Nanos.toSeconds(now - lastNanos) * qps) - 1;
      lastNanos = now;
      // A cast of a double that is too large gives the largest long.
      return Duration.ofNanos((long) (Math.max(0, -tokens) / qps * 1e9));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void forget(T item) {
    // It does not distinguish items.
  }

  @Override
  public int numRequeues(T item) {
    return 0;
  }
}
