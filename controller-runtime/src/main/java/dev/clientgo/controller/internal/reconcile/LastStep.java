package dev.clientgo.controller.internal.reconcile;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last step of a reconcile: calls the reconciler of the program, and knows its errors.
 *
 * @param <R> the type of the requests
 */
public interface LastStep<R> extends Attempt.Step<R> {

  /** Returns after which time a reconcile is interrupted; null for no limit. */
  @Nullable Duration timeout();

  /**
   * Returns the error of a reconcile that was interrupted after the {@link #timeout}.
   *
   * @param error what the reconciler threw
   */
  Throwable timedOut(R request, Throwable error);

  /** Returns whether another attempt is useless after an error. */
  boolean isTerminal(Throwable error);
}
