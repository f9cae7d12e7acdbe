package dev.clientgo.apimachinery.wait;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Checks a condition at intervals until it holds.
 *
 * <pre>{@code
 * Poll.every(Duration.ofSeconds(1))
 *     .immediately()
 *     .atMost(Duration.ofMinutes(2))
 *     .until(() -> isReady(deployments.get("default", "web")));
 * }</pre>
 *
 * <p>An interval runs from the start of one check to the start of the next. If a check takes longer
 * than the interval, the next check follows at once, and missed checks are skipped. An exception of
 * the condition ends the wait and reaches the caller. Immutable and safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code wait.PollUntilContextTimeout}, {@code
 * wait.PollUntilContextCancel} and {@code wait.ExponentialBackoffWithContext}.
 */
public final class Poll {

  /**
   * A condition to wait for.
   *
   * @param <E> the exception that ends the wait
   */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Returns whether the condition holds, which ends the wait. */
    boolean isMet() throws E, InterruptedException;
  }

  private final Clock clock;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final boolean limitedAttempts;
  private final boolean immediately;
  private final @Nullable Duration timeout;

  private Poll(
      Clock clock,
      Backoff backoff,
      RandomGenerator random,
      boolean limitedAttempts,
      boolean immediately,
      @Nullable Duration timeout) {
    this.clock = clock;
    this.backoff = backoff;
    this.random = random;
    this.limitedAttempts = limitedAttempts;
    this.immediately = immediately;
    this.timeout = timeout;
  }

  /** Returns a poll that checks at these intervals, first after one interval. */
  public static Poll every(Duration interval) {
    return new Poll(
        Clock.system(), Backoff.builder(interval).build(), new Random(), false, false, null);
  }

  /**
   * Returns a poll that checks at once and then after each wait of a backoff, for as many steps as
   * the backoff has.
   *
   * <p>The poll also ends when the waits reach the cap, as in client-go.
   */
  public static Poll with(Backoff backoff) {
    return new Poll(Clock.system(), backoff, new Random(), true, true, null);
  }

  /**
   * Returns a poll that also checks at once, before the first interval. It checks at least once,
   * even if no time is left or the thread is interrupted.
   */
  public Poll immediately() {
    return new Poll(clock, backoff, random, limitedAttempts, true, timeout);
  }

  /** Returns a poll that fails after this time. */
  public Poll atMost(Duration timeout) {
    return new Poll(
        clock, backoff, random, limitedAttempts, immediately, requireNonNull(timeout, "timeout"));
  }

  /** Returns a poll with this clock, and this source of randomness for the jitter. */
  public Poll on(Clock clock, RandomGenerator random) {
    return new Poll(
        requireNonNull(clock, "clock"),
        backoff,
        requireNonNull(random, "random"),
        limitedAttempts,
        immediately,
        timeout);
  }

  /**
   * Waits until a condition holds.
   *
   * @throws E if the condition throws
   * @throws TimeoutException if the time limit or the number of attempts is reached
   * @throws InterruptedException if the thread is interrupted
   */
  public <E extends Exception> void until(Condition<E> condition)
      throws E, TimeoutException, InterruptedException {
    if (limitedAttempts) {
      untilAttemptsAreUsedUp(condition);
    } else {
      untilCancelled(condition);
    }
  }

  private <E extends Exception> void untilCancelled(Condition<E> condition)
      throws E, TimeoutException, InterruptedException {
    Attempts attempts = new Attempts();
    if (immediately && attempts.look(condition)) {
      return;
    }
    long interval = nanos(backoff.duration());
    long next = attempts.start + interval;
    do {
      attempts.sleepUntil(next);
      // Skip missed checks: the next one is in the future, at a multiple of the interval.
      long late = Math.max(0, clock.nanoTime() - next);
      next += interval == 0 ? late : (late / interval + 1) * interval;
    } while (!attempts.look(condition));
  }

  private <E extends Exception> void untilAttemptsAreUsedUp(Condition<E> condition)
      throws E, TimeoutException, InterruptedException {
    Attempts attempts = new Attempts();
    Backoff.Steps steps = new Backoff.Steps(backoff, random);
    while (steps.stepsLeft() > 0) {
      attempts.requireTime();
      if (attempts.look(condition)) {
        return;
      }
      boolean last = steps.stepsLeft() == 1;
      Duration delay = steps.next();
      // Unlike client-go, which waits once more when the cap ends the poll, without a check
      // afterwards.
      if (last || steps.stepsLeft() == 0) {
        break;
      }
      attempts.sleepUntil(clock.nanoTime() + nanos(delay));
    }
    throw attempts.timeout();
  }

  private static long nanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /** The attempts of one wait and their time limit. */
  private final class Attempts {
    private final long start = clock.nanoTime();
    private int made;

    <E extends Exception> boolean look(Condition<E> condition) throws E, InterruptedException {
      made++;
      return condition.isMet();
    }

    void sleepUntil(long time) throws TimeoutException, InterruptedException {
      requireTime();
      long wait = time - clock.nanoTime();
      if (timeout != null) {
        wait = Math.min(wait, start + nanos(timeout) - clock.nanoTime());
      }
      if (wait > 0) {
        clock.sleep(Duration.ofNanos(wait));
      }
      requireTime();
    }

    void requireTime() throws TimeoutException, InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while waiting for a condition");
      }
      if (timeout != null && clock.nanoTime() - start >= nanos(timeout)) {
        throw timeout();
      }
    }

    TimeoutException timeout() {
      Duration passed = Duration.ofNanos(clock.nanoTime() - start);
      return new TimeoutException(
          "timed out waiting for the condition: it was not met in "
              + made
              + " attempts within "
              + passed);
    }
  }
}
