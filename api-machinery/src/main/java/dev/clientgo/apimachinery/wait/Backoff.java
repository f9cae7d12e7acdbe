package dev.clientgo.apimachinery.wait;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The growth of waits from one attempt to the next.
 *
 * <p>The first wait is {@link #duration}. After each of {@link #steps} waits the next one is {@link
 * #factor} times as long, but never longer than {@link #cap}; once the cap is reached, or the steps
 * are used up, it stays the same. Each wait gets a random addition of up to {@link #jitter} times
 * its length, so clients that failed together do not return together. The addition does not affect
 * the next wait.
 *
 * <p>With a duration of one second, a factor of 2, five steps and a cap of five seconds:
 *
 * <pre>
 * 1 s, 2 s, 4 s, 5 s, 5 s, 5 s, …
 * </pre>
 *
 * <p>Immutable; {@link #delays} and {@link #delaysWithReset} return a sequence with its own state.
 * Corresponds to client-go's {@code wait.Backoff}.
 */
public final class Backoff {

  private static final int UNSET = -1;

  private final Duration duration;
  private final double factor;
  private final double jitter;
  private final int steps;
  private final Duration cap;

  private Backoff(Builder builder) {
    duration = builder.duration;
    factor = builder.factor;
    jitter = builder.jitter;
    steps = builder.steps;
    cap = builder.cap;
  }

  /** Returns a builder of waits of this length; without further settings, all are equal. */
  public static Builder builder(Duration duration) {
    return new Builder(duration);
  }

  /** Returns the length of the first wait. */
  public Duration duration() {
    return duration;
  }

  /** Returns the factor by which a wait grows; 0 for constant waits. */
  public double factor() {
    return factor;
  }

  /** Returns the largest random addition to a wait, as a multiple of it; 0 for none. */
  public double jitter() {
    return jitter;
  }

  /** Returns the maximal number of times that a wait grows; 0 if it is not set. */
  public int steps() {
    return Math.max(0, steps);
  }

  /** Returns the length that a wait cannot exceed; zero for no limit. */
  public Duration cap() {
    return cap;
  }

  /**
   * Returns the sequence of waits. For use by one thread.
   *
   * <p>Corresponds to client-go's {@code Backoff.DelayFunc} and {@code Backoff.Step}.
   */
  public DelayFunction delays(RandomGenerator random) {
    return new Steps(this, random);
  }

  /**
   * Returns the sequence of waits, which starts over when a given time has passed since it last
   * started. Safe for use by many threads, which share one sequence.
   *
   * <p>Corresponds to client-go's {@code Backoff.DelayWithReset}.
   *
   * @param resetInterval the time after which the sequence starts over; zero or less means each
   *     time, so that the waits never grow
   */
  public DelayFunction delaysWithReset(
      Clock clock, RandomGenerator random, Duration resetInterval) {
    if (factor <= 0) {
      return delays(random);
    }
    if (resetInterval.isNegative() || resetInterval.isZero()) {
      return toBuilder().factor(0).steps(0).build().delays(random);
    }
    return new ResettingSteps(this, clock, random, resetInterval, false);
  }

  /**
   * Returns the sequence of waits, which starts over when no wait was taken for a given time. Safe
   * for use by many threads, which share one sequence.
   *
   * <p>Corresponds to client-go's {@code wait.NewExponentialBackoffManager}, whose waits grow until
   * they reach the cap, however many {@link #steps} there are; {@code
   * wait.NewJitteredBackoffManager} is a backoff without a factor.
   *
   * @param idleInterval the idle time after which the sequence starts over
   */
  public DelayFunction delaysWithIdleReset(
      Clock clock, RandomGenerator random, Duration idleInterval) {
    Backoff endless = toBuilder().steps(Integer.MAX_VALUE).build();
    return new ResettingSteps(endless, clock, random, idleInterval, true);
  }

  /**
   * Returns a duration plus a random part of it.
   *
   * <p>Corresponds to client-go's {@code wait.Jitter}.
   *
   * @param maxFactor the largest addition, as a multiple of the duration; zero or less means 1
   */
  public static Duration jitter(Duration duration, double maxFactor, RandomGenerator random) {
    double most = maxFactor <= 0 ? 1 : maxFactor;
    return duration.plusNanos((long) (random.nextDouble() * most * nanos(duration)));
  }

  private static long nanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /** Returns a builder that starts with these values. */
  public Builder toBuilder() {
    Builder builder = new Builder(duration).factor(factor).jitter(jitter).cap(cap);
    builder.steps = steps;
    return builder;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Backoff backoff
        && duration.equals(backoff.duration)
        && factor == backoff.factor
        && jitter == backoff.jitter
        && steps == backoff.steps
        && cap.equals(backoff.cap);
  }

  @Override
  public int hashCode() {
    return Objects.hash(duration, factor, jitter, steps, cap);
  }

  @Override
  public String toString() {
    return "Backoff[duration="
        + duration
        + ", factor="
        + factor
        + ", jitter="
        + jitter
        + ", steps="
        + steps()
        + ", cap="
        + cap
        + "]";
  }

  /** The sequence of waits. */
  static final class Steps implements DelayFunction {
    private final Backoff backoff;
    private final RandomGenerator random;
    private Duration current;
    private int stepsLeft;

    Steps(Backoff backoff, RandomGenerator random) {
      this.backoff = backoff;
      this.random = requireNonNull(random, "random");
      begin();
    }

    private void begin() {
      current = backoff.duration;
      stepsLeft =
          backoff.steps == UNSET && !backoff.cap.isZero() ? Integer.MAX_VALUE : backoff.steps();
    }

    int stepsLeft() {
      return stepsLeft;
    }

    @Override
    public Duration next() {
      Duration base = current;
      if (stepsLeft > 0) {
        stepsLeft--;
        grow();
      }
      return backoff.jitter > 0 ? jitter(base, backoff.jitter, random) : base;
    }

    private void grow() {
      if (backoff.factor == 0) {
        return;
      }
      current = Duration.ofNanos((long) (nanos(current) * backoff.factor));
      if (!backoff.cap.isZero() && current.compareTo(backoff.cap) > 0) {
        current = backoff.cap;
        stepsLeft = 0;
      }
    }
  }

  private static final class ResettingSteps implements DelayFunction {
    private final ReentrantLock lock = new ReentrantLock();
    private final Clock clock;
    private final long resetNanos;

    /** Whether the time since the last wait counts, not the time since the start. */
    private final boolean sinceLast;

    @GuardedBy("lock")
    private final Steps steps;

    @GuardedBy("lock")
    private long lastStart;

    ResettingSteps(
        Backoff backoff,
        Clock clock,
        RandomGenerator random,
        Duration resetInterval,
        boolean sinceLast) {
      this.clock = clock;
      this.sinceLast = sinceLast;
      this.resetNanos = nanos(resetInterval);
      this.steps = new Steps(backoff, random);
      this.lastStart = clock.nanoTime();
    }

    @Override
    public Duration next() {
      lock.lock();
      try {
        long now = clock.nanoTime();
        boolean due = now - lastStart > resetNanos;
        if (due) {
          steps.begin();
        }
        if (due || sinceLast) {
          lastStart = now;
        }
        return steps.next();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Builds a {@link Backoff}. Not safe for use by many threads. */
  public static final class Builder {
    private final Duration duration;
    private double factor;
    private double jitter;
    private int steps = UNSET;
    private Duration cap = Duration.ZERO;

    private Builder(Duration duration) {
      this.duration = requireNotNegative(duration, "duration");
    }

    /** Sets the factor by which a wait grows; 0 for constant waits. */
    public Builder factor(double factor) {
      if (!(factor >= 0)) {
        throw new IllegalArgumentException("the factor of a backoff is negative: " + factor);
      }
      this.factor = factor;
      return this;
    }

    /** Sets the largest random addition to a wait, as a multiple of it; zero or less for none. */
    public Builder jitter(double jitter) {
      this.jitter = Math.max(0, jitter);
      return this;
    }

    /**
     * Sets the maximal number of times that a wait grows; zero or less for never.
     *
     * <p>Default: until the {@link #cap}, or never if there is none. In client-go it is never, so a
     * backoff with a factor and a cap, but without steps, does not grow there.
     */
    public Builder steps(int steps) {
      this.steps = Math.max(0, steps);
      return this;
    }

    /** Sets the length that a wait cannot exceed; zero for no limit. */
    public Builder cap(Duration cap) {
      this.cap = requireNotNegative(cap, "cap");
      return this;
    }

    private static Duration requireNotNegative(Duration value, String name) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("the " + name + " of a backoff is negative: " + value);
      }
      return value;
    }

    /** Returns the backoff built. */
    public Backoff build() {
      return new Backoff(this);
    }
  }
}
