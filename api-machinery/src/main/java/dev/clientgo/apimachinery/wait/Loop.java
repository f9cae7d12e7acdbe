package dev.clientgo.apimachinery.wait;

import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task repeatedly until the thread is interrupted.
 *
 * <p>Corresponds to client-go's {@code wait.BackoffUntil}, {@code wait.JitterUntil} and {@code
 * wait.Until}, which end by a channel or a context instead of the interruption.
 */
public final class Loop {

  private static final Logger LOG = System.getLogger(Loop.class.getName());

  /** A task to repeat. */
  @FunctionalInterface
  public interface Task {
    /** Runs the task once. */
    void run() throws InterruptedException;
  }

  private Loop() {}

  /**
   * Runs a task at once, and then after each delay, until the thread is interrupted. If the task
   * throws an exception, the loop logs it and continues.
   *
   * @param sliding whether a delay starts at the end of the task, not at its start
   * @throws InterruptedException when the thread is interrupted; the method never returns normally
   */
  public static void untilInterrupted(Clock clock, DelayFunction delays, boolean sliding, Task task)
      throws InterruptedException {
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted between two runs of a task");
      }
      long start = clock.nanoTime();
      // Take the delay when it starts, since a backoff may reset itself by that time.
      Duration delay = sliding ? Duration.ZERO : delays.next();
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "A repeated task has failed", e);
      }
      if (sliding) {
        start = clock.nanoTime();
        delay = delays.next();
      }
      long left = TimeUnit.NANOSECONDS.convert(delay) - (clock.nanoTime() - start);
      if (left > 0) {
        clock.sleep(Duration.ofNanos(left));
      }
    }
  }
}
