package dev.clientgo.controller.internal.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices a request that is reconciled again and again: by a reconciler that changes its own object
 * at each call, returns a very short delay, or enqueues the request itself. Such a request never
 * rests; one with many children, whose changes come in a burst, does after a while. Safe for use by
 * many threads.
 */
public final class FloodDetector {

  /** How many reconciles of one request in each of two intervals are a flood: ten a second. */
  public static final int LIMIT = 600;

  public static final Duration INTERVAL = Duration.ofMinutes(1);

  /** How many requests are counted; a flood is among the first of one of the next intervals. */
  private static final int MAX_REQUESTS = 10_000;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Object, Integer> counts = new HashMap<>();

  /** The requests that have reached the limit in the interval before. */
  @GuardedBy("lock")
  private Set<Object> before = Set.of();

  @GuardedBy("lock")
  private long intervalStart;

  public FloodDetector(Clock clock) {
    this.clock = clock;
    this.intervalStart = clock.nanoTime();
  }

  /** Counts a reconcile; returns true once in an interval in which the request floods. */
  public boolean isFlood(Object request) {
    lock.lock();
    try {
      long now = clock.nanoTime();
      if (now - intervalStart >= INTERVAL.toNanos()) {
        boolean isNext = now - intervalStart < 2 * INTERVAL.toNanos();
        counts.values().removeIf(count -> count < LIMIT);
        before = isNext ? Set.copyOf(counts.keySet()) : Set.of();
        intervalStart = now;
        counts.clear();
      }
      if (counts.size() >= MAX_REQUESTS && !counts.containsKey(request)) {
        return false;
      }
      return counts.merge(request, 1, Integer::sum) == LIMIT && before.contains(request);
    } finally {
      lock.unlock();
    }
  }
}
