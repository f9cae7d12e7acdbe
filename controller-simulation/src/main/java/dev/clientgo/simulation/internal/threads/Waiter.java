package dev.clientgo.simulation.internal.threads;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One wait of one thread. The scheduler guards its fields. */
public final class Waiter {

  /** The reason for which a wait has ended. */
  enum Cause {
    SIGNAL,
    TIMEOUT,
    INTERRUPT
  }

  /** Released for a thread that the scheduler does not run. */
  final Semaphore foreign = new Semaphore(0);

  @Nullable Cause cause;

  /** The thread that waits; null before it does, and for a thread that is not simulated. */
  @Nullable SimulatedThread thread;
}
