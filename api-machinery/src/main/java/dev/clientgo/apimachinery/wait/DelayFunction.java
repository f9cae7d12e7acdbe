package dev.clientgo.apimachinery.wait;

import java.time.Duration;

/**
 * Says how long to wait next, and remembers how often it was asked.
 *
 * <p>Corresponds to client-go's {@code wait.DelayFunc}.
 */
@FunctionalInterface
public interface DelayFunction {

  /** Returns how long to wait, and goes one step on. */
  Duration next();
}
