package dev.clientgo.cache;

import dev.clientgo.clock.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/**
 * Something that is done at some point, and then for good: a cache that has its first list, a
 * handler that has seen it. Ask with {@link #isDone}, or wait with {@link #await}. A controller
 * waits for all its caches before it starts to work:
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

  /** Returns what is waited for, for messages: {@code "RealFIFO v1/pods"}. */
  String name();

  /** Returns whether it is done. */
  boolean isDone();

  /**
   * Waits until it is done or the time is up; or until it is known that it will never be done, as
   * when an informer is closed, or a handler removed, before it is synced.
   *
   * @return whether it is done
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * Waits until all are done or the time is up; then logs the names of those that are not done.
   *
   * <p>Corresponds to client-go's {@code tools/cache.WaitFor}.
   *
   * @param what who waits, for the log
   * @return whether all are done
   * @throws InterruptedException if the thread is interrupted
   */
  static boolean waitFor(String what, Duration timeout, DoneChecker... checkers)
      throws InterruptedException {
    return waitFor(Clock.system(), what, timeout, List.of(checkers));
  }

  /**
   * Does the same as {@link #waitFor(String, Duration, DoneChecker...)}, with the time of a clock.
   */
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
