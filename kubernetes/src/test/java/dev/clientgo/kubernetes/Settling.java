package dev.clientgo.kubernetes;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.rest.Retry;
import java.time.Duration;

/**
 * Tries again, for half a minute at least: a server has its own controllers, which write, too, to
 * definitions and services of APIs, and do what they do in their own time.
 */
final class Settling {

  private static final Backoff PATIENCE =
      Backoff.builder(Duration.ofMillis(20)).steps(1500).build();

  private static final Retry CONFLICTS = Retry.onConflict().withBackoff(PATIENCE);
  private static final Retry LOOKS =
      Retry.onError(Unsettled.class::isInstance).withBackoff(PATIENCE);

  private Settling() {}

  /** Reads and writes, again after a conflict. */
  static <T> T write(Retry.Attempt<T> attempt) throws InterruptedException {
    return CONFLICTS.run(attempt);
  }

  /** Looks, again while that ends with {@link Unsettled}. */
  static <T> T look(Retry.Attempt<T> attempt) throws InterruptedException {
    return LOOKS.run(attempt);
  }

  /** The state is not yet the expected one. */
  static final class Unsettled extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsettled(String message) {
      super(message);
    }
  }
}
