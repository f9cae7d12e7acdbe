package dev.clientgo.simulation.internal.threads;

import org.jspecify.annotations.Nullable;

/** An action that the scheduler runs at a simulated time, when no thread can run. */
public final class Timer implements Comparable<Timer> {

  final long time;
  final Runnable action;

  /** The thread that waits for the time; null if it is not the end of a wait. */
  final @Nullable SimulatedThread waiting;

  /** How long the wait is, in nanoseconds. */
  final long length;

  /** The thread has waited for that long before, and has done nothing since. */
  final boolean repeated;

  private final long number;

  /**
   * Creates a timer.
   *
   * @param time in nanoseconds
   * @param length the time since the timer was made, in nanoseconds
   * @param number orders the timers of one time
   * @param waiting the thread that waits; null if none does
   */
  Timer(long time, long length, long number, Runnable action, @Nullable SimulatedThread waiting) {
    this.time = time;
    this.length = length;
    this.number = number;
    this.action = action;
    this.waiting = waiting;
    this.repeated = waiting != null && waiting.idleWait == length;
  }

  /** Returns whether a thread of a process waits, and neither for a lease nor to do nothing. */
  boolean mayBeForSomething(ThreadOwner owner) {
    return waiting != null && waiting.owner == owner && !repeated && !waiting.keepsLease;
  }

  @Override
  public int compareTo(Timer other) {
    int byTime = Long.compare(time, other.time);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
