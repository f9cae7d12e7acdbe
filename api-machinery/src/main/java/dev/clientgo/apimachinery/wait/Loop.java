package dev.clientgo.apimachinery.wait;

import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again, for as long as the thread is not interrupted.
 *
 * <p>Corresponds to client-go's {@code wait.BackoffUntil}, {@code wait.JitterUntil} and {@code
 * wait.Until}, in which the place of the interruption is taken by a channel or a context.
 */
public final class Loop {

  private static final Logger LOG = System.getLogger(Loop.class.getName());

  /** What is done again and again. */
  @FunctionalInterface
  public interface Task {
    /** Does it once. */
    void run() throws InterruptedException;
  }

  private Loop() {}

  /**
   * Runs a task at once, and then after each delay, until the thread is interrupted. A task that
   * throws an exception is run again like any other; the exception is logged.
   *
   * @param sliding whether a delay begins when the task has ended, and not when it has started
   * @throws InterruptedException always, in the end
   */
  public static void untilInterrupted(Clock clock, DelayFunction delays, boolean sliding, Task task)
      throws InterruptedException {
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted between two runs of a task");
      }
      long start = clock.nanoTime();
      // A delay is asked for when it begins: a backoff may reset itself by the time of asking.
      Duration delay = sliding ? Duration.ZERO : delays.next();
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "A task that is run again and again has failed", e);
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
