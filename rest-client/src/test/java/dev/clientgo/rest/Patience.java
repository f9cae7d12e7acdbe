package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/**
 * Timeouts of real time, in tests in which something must come before the timeout does. A machine
 * that stalls may need a longer one, and then gets it; all others need not wait for that.
 */
public final class Patience {

  private static final Duration LONGEST = Duration.ofSeconds(30);

  private Patience() {}

  /** An action with a timeout. */
  @FunctionalInterface
  public interface Attempt {
    /** Returns whether the timeout was long enough for what must come before it. */
    boolean isEnough(Duration timeout) throws Exception;
  }

  /** Tries something with longer and longer timeouts until one is long enough. */
  public static void grow(Duration first, Attempt attempt) throws Exception {
    Duration timeout = first;
    while (!attempt.isEnough(timeout)) {
      timeout = timeout.multipliedBy(2);
      assertThat(timeout).as("what must come before a timeout").isLessThan(LONGEST);
    }
  }
}
