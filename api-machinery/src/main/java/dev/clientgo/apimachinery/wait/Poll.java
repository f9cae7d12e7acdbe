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
 * Looks again and again whether something is so.
 *
 * <pre>{@code
 * Poll.every(Duration.ofSeconds(1))
 *     .immediately()
 *     .atMost(Duration.ofMinutes(2))
 *     .until(() -> isReady(deployments.get("default", "web")));
 * }</pre>
 *
 * <p>The times at which to look are measured from the start of the look before; if a look takes
 * longer than the interval, the next one follows at once, and those that were missed are not made
 * up for. What the condition throws ends the wait and reaches the caller. Immutable, and safe for
 * use by many threads.
 *
 * <p>Corresponds to client-go's {@code wait.PollUntilContextTimeout}, {@code
 * wait.PollUntilContextCancel} and {@code wait.ExponentialBackoffWithContext}.
 */
public final class Poll {

  /**
   * What is waited for.
   *
   * @param <E> what it throws when there is no sense in waiting any longer
   */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Returns whether the wait is over. */
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

  /** Returns a poll that looks at these intervals, the first time after one. */
  public static Poll every(Duration interval) {
    return new Poll(
        Clock.system(), Backoff.builder(interval).build(), new Random(), false, false, null);
  }

  /**
   * Returns a poll that looks at once, and then after each wait of a backoff, as often as that has
   * steps.
   *
   * <p>If the waits reach the cap before, that ends it too, as in client-go.
   */
  public static Poll with(Backoff backoff) {
    return new Poll(Clock.system(), backoff, new Random(), true, true, null);
  }

  /**
   * Returns a poll that looks at once, and not only after the first interval. It then looks at
   * least once, even if there is no time left or the thread is interrupted.
   */
  public Poll immediately() {
    return new Poll(clock, backoff, random, limitedAttempts, true, timeout);
  }

  /** Returns a poll that gives up after that time. */
  public Poll atMost(Duration timeout) {
    return new Poll(
        clock, backoff, random, limitedAttempts, immediately, requireNonNull(timeout, "timeout"));
  }

  /** Returns a poll that takes its time, and its chance for the jitter, from here. */
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
   * Waits until a condition is met.
   *
   * @throws E if the condition throws it
   * @throws TimeoutException if the time or the attempts are used up
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
      // Looks that were missed are skipped: the next one is in the future, at its usual place.
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
      // Unlike client-go, which waits once more where the cap ends it, and does not look after.
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

  /** The attempts of one wait, and the time they have. */
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
