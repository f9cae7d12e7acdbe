package dev.clientgo.rest.config;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A bucket that gains tokens over time and loses one with each request; it may be negative. */
final class TokenBucket implements RequestRateLimiter {

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final double qps;
  private final int burst;

  @GuardedBy("lock")
  private double tokens;

  @GuardedBy("lock")
  private long last;

  TokenBucket(double qps, int burst, Clock clock) {
    if (!(qps > 0) || burst <= 0) {
      throw new IllegalArgumentException(
          "qps and burst must be positive, not " + qps + " and " + burst);
    }
    this.qps = qps;
    this.burst = burst;
    this.clock = clock;
    this.tokens = burst;
    this.last = clock.nanoTime();
  }

  @Override
  public Duration reserve() {
    lock.lock();
    try {
      long now = clock.nanoTime();
      tokens = Math.min(burst, tokens + (now - last) / NANOS * qps) - 1;
      last = now;
      return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / qps * NANOS));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void cancel() {
    lock.lock();
    try {
      tokens = Math.min(burst, tokens + 1);
    } finally {
      lock.unlock();
    }
  }
}
