package dev.clientgo.simulation.internal.threads;

/** An action that the scheduler runs at a simulated time, when no thread can run. */
public final class Timer implements Comparable<Timer> {

  final long time;
  final Runnable action;
  private final long number;

  Timer(long time, long number, Runnable action) {
    this.time = time;
    this.number = number;
    this.action = action;
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
