package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How an item is added to a {@link PriorityQueue}: {@code AddOptions.create().priority(-100)}.
 *
 * <p>Immutable: each method returns a copy. Corresponds to controller-runtime's {@code AddOpts}.
 */
public final class AddOptions {

  private static final AddOptions NONE = new AddOptions(0, Duration.ZERO, false);

  private final int priority;
  private final Duration after;
  private final boolean rateLimited;

  private AddOptions(int priority, Duration after, boolean rateLimited) {
    this.priority = priority;
    this.after = after;
    this.rateLimited = rateLimited;
  }

  /** Returns the options of {@link WorkQueue#add}: priority 0, no delay. */
  public static AddOptions create() {
    return NONE;
  }

  /** Sets the priority; a higher one comes first. */
  public AddOptions priority(int priority) {
    return new AddOptions(priority, after, rateLimited);
  }

  /** Sets a delay; zero is none. With {@link #rateLimited} too, the smaller delay counts. */
  public AddOptions after(Duration after) {
    return new AddOptions(priority, requireNonNull(after, "after"), rateLimited);
  }

  /** Asks the rate limiter of the queue for a delay. */
  public AddOptions rateLimited() {
    return new AddOptions(priority, after, true);
  }

  int priority() {
    return priority;
  }

  /** Returns the delay of an item in nanoseconds; asks the rate limiter if these options say so. */
  <T> long delayNanos(T item, RateLimiter<? super T> limiter) {
    if (!rateLimited) {
      return Nanos.of(after);
    }
    long limited = Nanos.of(limiter.delayFor(item));
    return after.isZero() ? limited : Math.min(Nanos.of(after), limited);
  }

  @Override
  public String toString() {
    return "AddOptions[priority="
        + priority
        + ", after="
        + after
        + ", rateLimited="
        + rateLimited
        + "]";
  }
}
