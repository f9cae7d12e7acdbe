package dev.clientgo.controller.internal.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The least and the longest time between two reconciles of one request, for controllers that set
 * them. Safe for use by many threads.
 *
 * @param <R> the type of the requests
 */
public final class ReconcilePace<R> {

  /** The longest time is shortened by up to a tenth, so that a first list is spread out. */
  private static final int SPREAD = 10;

  private final PriorityQueue<R> queue;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * When the last reconcile of each request began, oldest first; forgotten after the least time.
   */
  @GuardedBy("lock")
  private final Map<R, Long> begun = new LinkedHashMap<>();

  /** Creates an instance for the requests of a queue. */
  public ReconcilePace(PriorityQueue<R> queue, Clock clock) {
    this.queue = queue;
    this.clock = clock;
  }

  /** Returns the step that delays a request until the least time since its last reconcile. */
  public Attempt.Step<R> atLeast(Duration least) {
    return attempt -> {
      long left = leastLeft(attempt.request, TimeUnit.NANOSECONDS.convert(least));
      if (left > 0) {
        AddOptions later = AddOptions.create().priority(attempt.priority);
        queue.add(attempt.request, later.after(Duration.ofNanos(left)));
      } else {
        attempt.proceed();
      }
    };
  }

  private long leastLeft(R request, long least) {
    lock.lock();
    try {
      long now = clock.nanoTime();
      Iterator<Long> oldest = begun.values().iterator();
      while (oldest.hasNext() && now - oldest.next() >= least) {
        oldest.remove();
      }
      Long last = begun.get(request);
      if (last != null) {
        return least - (now - last);
      }
      begun.put(request, now);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the step that lets a request come again after the longest time, unless its reconciler
   * asks for an earlier one.
   *
   * @param exists whether the object of a request exists; a request without one does not come again
   */
  public static <R> Attempt.Step<R> atMost(Duration most, Predicate<R> exists) {
    return attempt -> {
      attempt.proceed();
      Duration after = attempt.requeueAfter;
      if (after != null && (after.isZero() || after.compareTo(most) > 0)) {
        int part = Math.floorMod(attempt.request.hashCode() * 31, 1000);
        Duration spread = most.dividedBy(SPREAD * 1000).multipliedBy(part);
        if (exists.test(attempt.request)) {
          attempt.succeed(most.minus(spread), PriorityQueue.LOW_PRIORITY);
        }
      }
    };
  }
}
