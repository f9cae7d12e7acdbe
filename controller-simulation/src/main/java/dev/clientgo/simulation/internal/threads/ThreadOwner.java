package dev.clientgo.simulation.internal.threads;

import dev.clientgo.clock.Clock;
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

  ThreadOwner(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
    this.clock = new SimulatedClock(scheduler, this);
  }

  /** Returns the clock of the process. */
  public Clock clock() {
    return clock;
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
