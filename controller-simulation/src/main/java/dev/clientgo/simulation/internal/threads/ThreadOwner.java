package dev.clientgo.simulation.internal.threads;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * A process of the simulation: its threads and its clock. It can die; then its clock stands still,
 * and its threads end without an effect on others.
 */
public final class ThreadOwner implements ThreadFactory {

  private final Scheduler scheduler;
  private final String name;
  private final Clock clock;
  private int made;

  /** Those that were started and have not ended. The scheduler guards them. */
  final List<SimulatedThread> threads = new ArrayList<>();

  volatile boolean dead;
  volatile long diedAt;

  private volatile long ahead;
  private volatile int percent = 100;

  ThreadOwner(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
    this.clock = new SimulatedClock(scheduler, this);
  }

  /** Returns the clock of the process. */
  public Clock clock() {
    return clock;
  }

  /**
   * Makes the clock of the process wrong.
   *
   * @param ahead how much the time of day is ahead
   * @param percent how fast the clock runs, 100 if it is right
   */
  public void driftClock(Duration ahead, int percent) {
    this.ahead = ahead.toNanos();
    this.percent = percent;
  }

  long aheadNanos() {
    return ahead;
  }

  /** Returns what the clock of the process shows for a span of simulated time, in nanoseconds. */
  long shown(long nanos) {
    return nanos / 100 * percent + nanos % 100 * percent / 100;
  }

  /** Returns the least simulated time for a span that the clock of the process shows. */
  long simulated(long nanos) {
    return nanos / percent * 100 + (nanos % percent * 100 + percent - 1) / percent;
  }

  /** Returns whether the process has died. */
  public boolean isDead() {
    return dead;
  }

  /** Returns whether the calling thread is the only one that the process has. */
  public boolean isCurrentThreadTheLast() {
    return scheduler.isTheOnly(Thread.currentThread(), this);
  }

  @Override
  public Thread newThread(Runnable task) {
    made++;
    return new SimulatedThread(scheduler, this, task, name + "-" + made);
  }

  @Override
  public String toString() {
    return name;
  }
}
