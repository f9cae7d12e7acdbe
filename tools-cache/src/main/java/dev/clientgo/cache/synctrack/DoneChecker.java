package dev.clientgo.cache.synctrack;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition that becomes true once and stays true: a cache has its first list, a handler has seen
 * that list. {@link #isDone} tests it, {@link #await} waits for it. A controller waits for all its
 * caches before it starts to work:
 *
 * <pre>{@code
 * if (!DoneChecker.waitFor("my controller", Duration.ofMinutes(1), pods, nodes)) {
 *   throw new IllegalStateException("the caches have not synced");
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.DoneChecker}.
 */
public interface DoneChecker {

  /** Returns the name of the condition, for messages: {@code "RealFIFO v1/pods"}. */
  String name();

  /** Returns whether the condition is true. */
  boolean isDone();

  /**
   * Waits until the condition is true or the time is up. Returns early if it can never become true,
   * because an informer was closed, or a handler removed, before it was synced.
   *
   * @return whether the condition is true
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * Waits until all conditions are true. If the time is up before, logs the names of the others.
   *
   * <p>Corresponds to client-go's {@code tools/cache.WaitFor}.
   *
   * @param what the name of the caller, for the log
   * @return whether all conditions are true
   * @throws InterruptedException if the thread is interrupted
   */
  static boolean waitFor(String what, Duration timeout, DoneChecker... checkers)
      throws InterruptedException {
    return waitFor(Clock.system(), what, timeout, List.of(checkers));
  }

  /** Waits as {@link #waitFor(String, Duration, DoneChecker...)} does, by the given clock. */
  static boolean waitFor(
      Clock clock, String what, Duration timeout, List<? extends DoneChecker> checkers)
      throws InterruptedException {
    long start = clock.nanoTime();
    for (DoneChecker checker : checkers) {
      checker.await(timeout.minusNanos(clock.nanoTime() - start));
    }
    List<String> pending =
        checkers.stream()
            .filter(checker -> !checker.isDone())
            .map(DoneChecker::name)
            .sorted()
            .toList();
    if (!pending.isEmpty()) {
      System.getLogger(DoneChecker.class.getName())
          .log(
              Level.WARNING,
              "Timed out waiting: what={0} timeout={1} pending={2}",
              what,
              timeout,
              pending);
    }
    return pending.isEmpty();
  }

  /**
   * The stock {@link DoneChecker}: a flag that is set once, and that threads can wait for.
   *
   * <p>Safe for use by many threads. Corresponds to the channel of client-go's {@code
   * tools/cache.DoneChecker}, which is closed once.
   */
  final class Signal implements DoneChecker {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turnedOn;
    private final String name;
    private final Clock clock;

    /** Written with the lock held, read without it: {@link #isDone} never waits. */
    private volatile boolean done;

    @GuardedBy("lock")
    private boolean abandoned;

    private Signal(String name, Clock clock) {
      this.name = requireNonNull(name, "name");
      this.clock = requireNonNull(clock, "clock");
      turnedOn = clock.newCondition(lock);
    }

    /** Returns a flag that is not set; waits are measured by the given clock. */
    public static Signal create(String name, Clock clock) {
      return new Signal(name, clock);
    }

    /** Sets the flag. A second call has no effect. */
    public void done() {
      lock.lock();
      try {
        done = true;
        turnedOn.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Ends all waits, now and later, because the flag will not be set any more. */
    public void abandon() {
      lock.lock();
      try {
        abandoned = true;
        turnedOn.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
      long start = clock.nanoTime();
      lock.lockInterruptibly();
      try {
        while (!done) {
          Duration left = timeout.minusNanos(clock.nanoTime() - start);
          if (abandoned || left.isNegative() || left.isZero()) {
            return false;
          }
          clock.await(lock, turnedOn, left);
        }
        return true;
      } finally {
        lock.unlock();
      }
    }
  }
}
