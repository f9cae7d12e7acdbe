package dev.clientgo.apimachinery.wait;

import java.time.Duration;

/**
 * A sequence of delays: each call returns the next one.
 *
 * <p>Corresponds to client-go's {@code wait.DelayFunc}.
 */
@FunctionalInterface
public interface DelayFunction {

  /** Returns the next delay and advances by one step. */
  Duration next();
}
