package dev.clientgo.cache;

import java.time.Duration;

/**
 * Something that is done at some point, and then for good: a cache that has its first list, a
 * handler that has seen it. Ask with {@link #isDone}, or wait with {@link #await}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.DoneChecker}.
 */
public interface DoneChecker {

  /** Returns what is waited for, for messages: {@code "RealFIFO v1/pods"}. */
  String name();

  /** Returns whether it is done. */
  boolean isDone();

  /**
   * Waits until it is done or the time is up.
   *
   * @return whether it is done
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Duration timeout) throws InterruptedException;
}
