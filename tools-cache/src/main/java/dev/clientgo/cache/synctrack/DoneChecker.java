package dev.clientgo.cache.synctrack;

import dev.clientgo.clock.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

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
}
