package dev.clientgo.clock;

import java.time.Instant;

/**
 * A thread that has its own time, as those of a simulation do: in it, {@link Clock#now} of {@link
 * Clock#system} returns this time. So a value that the library fills in by itself, such as the time
 * of a condition, is the same in each replay.
 */
@FunctionalInterface
public interface TimedThread {

  /** Returns the time of the thread. */
  Instant now();
}
