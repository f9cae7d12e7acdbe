package dev.clientgo.envtest.internal.tables;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value of one column in the row of an object. */
@FunctionalInterface
public interface Cell {

  /**
   * Returns the value to print.
   *
   * @param object the object as JSON
   * @param now the time from which ages are computed
   */
  @Nullable Object of(Map<String, Object> object, Instant now);
}
