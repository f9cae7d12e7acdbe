package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Repeats an action while it fails with a temporary error.
 *
 * <pre>{@code
 * Retry.onConflict().run(() -> {
 *   Deployment now = deployments.get("web");
 *   return deployments.update(changed(now));
 * });
 * }</pre>
 *
 * <p>The action must begin with a read, or it fails the same way again. To change one object,
 * {@link ResourceClient#edit} is shorter and loses no field. Immutable, safe for use by many
 * threads. Corresponds to client-go's {@code util/retry}.
 */
public final class Retry {

  /** For conflicts with clients that write rarely: five attempts, about 10 ms apart. */
  public static final Backoff DEFAULT_RETRY =
      Backoff.builder(Duration.ofMillis(10)).steps(5).factor(1).jitter(0.1).build();

  /** For conflicts with clients that write often: four attempts, 10 ms, 50 ms and 250 ms apart. */
  public static final Backoff DEFAULT_BACKOFF =
      Backoff.builder(Duration.ofMillis(10)).steps(4).factor(5).jitter(0.1).build();

  /**
   * The action.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  public interface Attempt<T> {
    /** Runs the action. */
    T run() throws InterruptedException;
  }

  /** An action without a result. */
  @FunctionalInterface
  public interface Action {
    /** Runs the action. */
    void run() throws InterruptedException;
  }

  private final Predicate<? super RuntimeException> retriable;
  private final Backoff backoff;
  private final Clock clock;
  private final RandomGenerator random;

  private Retry(
      Predicate<? super RuntimeException> retriable,
      Backoff backoff,
      Clock clock,
      RandomGenerator random) {
    this.retriable = requireNonNull(retriable, "retriable");
    this.backoff = requireNonNull(backoff, "backoff");
    this.clock = requireNonNull(clock, "clock");
    this.random = requireNonNull(random, "random");
  }

  /** Returns a retry of conflicts, that is when another writer has changed the object. */
  public static Retry onConflict() {
    return onError(e -> e instanceof ApiStatusException status && status.isConflict());
  }

  /** Returns a retry of the errors that match. */
  public static Retry onError(Predicate<? super RuntimeException> retriable) {
    return new Retry(retriable, DEFAULT_RETRY, Clock.system(), new Random());
  }

  /**
   * Returns a retry with another backoff, whose steps are the number of attempts.
   *
   * @throws IllegalArgumentException if the backoff has no steps
   */
  public Retry withBackoff(Backoff backoff) {
    if (backoff.steps() == 0) {
      throw new IllegalArgumentException(
          "the backoff of a retry needs steps, the number of attempts: " + backoff);
    }
    return new Retry(retriable, backoff, clock, random);
  }

  /** Returns a retry with another clock and random generator, for tests. */
  public Retry withClock(Clock clock, RandomGenerator random) {
    return new Retry(retriable, backoff, clock, random);
  }

  /**
   * Runs the action until it succeeds, fails with another error, or no attempt is left.
   *
   * @throws RuntimeException the error of the last attempt
   * @throws InterruptedException if the thread is interrupted
   */
  public <T> T run(Attempt<T> attempt) throws InterruptedException {
    DelayFunction delays = backoff.delays(random);
    for (int left = backoff.steps() - 1; ; left--) {
      try {
        return attempt.run();
      } catch (RuntimeException e) {
        if (left <= 0 || !retriable.test(e)) {
          throw e;
        }
      }
      clock.sleep(delays.next());
    }
  }

  /**
   * Runs an action without a result until it succeeds, fails with another error, or no attempt is
   * left.
   *
   * @throws RuntimeException the error of the last attempt
   * @throws InterruptedException if the thread is interrupted
   */
  public void run(Action action) throws InterruptedException {
    Attempt<Boolean> attempt =
        () -> {
          action.run();
          return true;
        };
    run(attempt);
  }
}
