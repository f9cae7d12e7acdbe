package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The rate limiters of client-go, which {@link RateLimiter} makes. */
final class RateLimiters {

  private RateLimiters() {}

  /** The base delay times two to the power of the failures before. */
  static final class ItemExponentialFailure<T> implements RateLimiter<T> {

    private final FailureCounts<T> failures = new FailureCounts<>();
    private final long baseNanos;
    private final long maxNanos;

    ItemExponentialFailure(Duration baseDelay, Duration maxDelay) {
      this.baseNanos = Nanos.notNegative(baseDelay, "baseDelay");
      this.maxNanos = Nanos.notNegative(maxDelay, "maxDelay");
    }

    @Override
    public Duration delayFor(T item) {
      int failuresBefore = failures.increment(item) - 1;
      return Duration.ofNanos(Math.min(doubled(baseNanos, failuresBefore), maxNanos));
    }

    /** Doubles a number that is not negative so many times, or until it does not fit any more. */
    static long doubled(long nanos, int times) {
      // With as many zeros in front, shifting neither loses a bit nor reaches the sign.
      boolean fits = nanos == 0 || times < Long.numberOfLeadingZeros(nanos);
      return fits ? nanos << times : Long.MAX_VALUE;
    }

    @Override
    public void forget(T item) {
      failures.forget(item);
    }

    @Override
    public int numRequeues(T item) {
      return failures.of(item);
    }
  }

  /** A short delay for the first failures, a long one for the others. */
  static final class ItemFastSlow<T> implements RateLimiter<T> {

    private final FailureCounts<T> failures = new FailureCounts<>();
    private final Duration fastDelay;
    private final Duration slowDelay;
    private final int maxFastAttempts;

    ItemFastSlow(Duration fastDelay, Duration slowDelay, int maxFastAttempts) {
      this.fastDelay = requireNonNull(fastDelay, "fastDelay");
      this.slowDelay = requireNonNull(slowDelay, "slowDelay");
      this.maxFastAttempts = maxFastAttempts;
      if (fastDelay.isNegative() || slowDelay.isNegative() || maxFastAttempts < 0) {
        throw new IllegalArgumentException(
            "nothing here may be negative: fastDelay=%s, slowDelay=%s, maxFastAttempts=%s"
                .formatted(fastDelay, slowDelay, maxFastAttempts));
      }
    }

    @Override
    public Duration delayFor(T item) {
      return failures.increment(item) <= maxFastAttempts ? fastDelay : slowDelay;
    }

    @Override
    public void forget(T item) {
      failures.forget(item);
    }

    @Override
    public int numRequeues(T item) {
      return failures.of(item);
    }
  }

  /**
   * A token bucket that lends: if it is empty, it returns the time until the lent token is there.
   */
  static final class Bucket<T> implements RateLimiter<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final double qps;
    private final int burst;
    private final Clock clock;

    /** Less than zero if tokens are lent. */
    @GuardedBy("lock")
    private double tokens;

    @GuardedBy("lock")
    private long lastNanos;

    Bucket(double qps, int burst, Clock clock) {
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

  /** The worst of several. */
  static final class MaxOf<T> implements RateLimiter<T> {

    private final List<RateLimiter<? super T>> limiters;

    MaxOf(List<? extends RateLimiter<? super T>> limiters) {
      this.limiters = List.copyOf(limiters);
    }

    @Override
    public Duration delayFor(T item) {
      Duration longest = Duration.ZERO;
      for (RateLimiter<? super T> limiter : limiters) {
        Duration delay = limiter.delayFor(item); // Each of them: they all count.
        longest = delay.compareTo(longest) > 0 ? delay : longest;
      }
      return longest;
    }

    @Override
    public void forget(T item) {
      limiters.forEach(limiter -> limiter.forget(item));
    }

    @Override
    public int numRequeues(T item) {
      return limiters.stream().mapToInt(limiter -> limiter.numRequeues(item)).max().orElse(0);
    }
  }

  /** A limit to the delays of another limiter. */
  static final class WithMaxWait<T> implements RateLimiter<T> {

    private final RateLimiter<T> limiter;
    private final Duration maxDelay;

    WithMaxWait(RateLimiter<T> limiter, Duration maxDelay) {
      this.limiter = limiter;
      this.maxDelay = requireNonNull(maxDelay, "maxDelay");
    }

    @Override
    public Duration delayFor(T item) {
      Duration delay = limiter.delayFor(item);
      return delay.compareTo(maxDelay) > 0 ? maxDelay : delay;
    }

    @Override
    public void forget(T item) {
      limiter.forget(item);
    }

    @Override
    public int numRequeues(T item) {
      return limiter.numRequeues(item);
    }
  }

  /** How often each item has failed. Holds only items that have failed and are not forgotten. */
  static final class FailureCounts<T> {

    private final ConcurrentHashMap<T, Integer> failures = new ConcurrentHashMap<>();

    /** Counts a failure and returns how many there are now, including it. */
    int increment(T item) {
      return failures.merge(item, 1, (count, one) -> oneMore(count));
    }

    /** Stops at the largest int. */
    static int oneMore(int count) {
      return count == Integer.MAX_VALUE ? count : count + 1;
    }

    int of(T item) {
      return failures.getOrDefault(item, 0);
    }

    void forget(T item) {
      failures.remove(item);
    }

    /** Returns how many items are held. */
    int size() {
      return failures.size();
    }
  }
}
