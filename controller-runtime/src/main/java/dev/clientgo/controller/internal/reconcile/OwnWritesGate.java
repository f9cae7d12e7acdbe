package dev.clientgo.controller.internal.reconcile;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.cache.ReconcileWrites;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds a request back until the caches show what its last reconcile has written. Safe for use by
 * many threads.
 *
 * @param <R> the type of the requests
 */
public final class OwnWritesGate<R> implements Attempt.Step<R> {

  /** How long a request waits for the caches to show its last writes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The number of reconciles with writes after which the delivered writes are dropped. */
  private static final int SWEEP = 1024;

  private final PriorityQueue<R> queue;
  private final ReconcileLog log;
  private final Clock clock;

  /** The undelivered writes of the last reconcile of each request. */
  private final ConcurrentMap<R, ReconcileWrites> undelivered = new ConcurrentHashMap<>();

  /** The requests that wait, each until a cache shows its writes or the time is up. */
  private final ConcurrentMap<R, Held> held = new ConcurrentHashMap<>();

  private final AtomicBoolean warned = new AtomicBoolean();
  private final AtomicLong reconciles = new AtomicLong();

  /** A request that waits for its last writes. */
  private record Held(ReconcileWrites writes, int priority, long since) {}

  /** Creates an instance; call {@link #release} each time a cache may show more. */
  public OwnWritesGate(PriorityQueue<R> queue, ReconcileLog log, Clock clock) {
    this.queue = queue;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public void run(Attempt<R> attempt) throws InterruptedException {
    if (isHeldBack(attempt)) {
      return;
    }
    ReconcileWrites writes = new ReconcileWrites();
    attempt.writes = writes;
    try {
      attempt.proceed();
    } finally {
      if (!writes.isEmpty()) {
        undelivered.put(attempt.request, writes);
        if (reconciles.incrementAndGet() % SWEEP == 0) {
          // Those of requests that do not come back.
          undelivered.values().removeIf(ReconcileWrites::areDelivered);
        }
      }
    }
  }

  /** Puts a request back whose last writes the caches do not show yet. */
  private boolean isHeldBack(Attempt<R> attempt) {
    R request = attempt.request;
    ReconcileWrites last = undelivered.get(request);
    if (last == null) {
      return false;
    }
    long now = clock.nanoTime();
    Held since = held.get(request);
    Held wait =
        since != null && since.writes == last ? since : new Held(last, attempt.priority, now);
    held.put(request, wait); // Before the look: a cache may move on now.
    Duration left = TIMEOUT.minusNanos(now - wait.since);
    boolean delivered = last.areDelivered();
    if (!delivered && !left.isNegative() && !left.isZero()) {
      queue.add(request, AddOptions.create().priority(attempt.priority).after(left));
      return true;
    }
    held.remove(request, wait);
    undelivered.remove(request, last);
    if (delivered) {
      warned.set(false);
    } else if (!warned.getAndSet(true)) {
      log.warning(
          "The caches have not shown the writes of the last reconcile within "
              + TIMEOUT
              + ", it is reconciled without them; Manager.informerHealth() shows why; more are"
              + " not logged: request="
              + request);
    }
    return false;
  }

  /** Puts the requests into the queue whose writes the caches show. */
  public void release() {
    held.forEach(
        (request, wait) -> {
          if (wait.writes.areDelivered() && held.remove(request, wait)) {
            queue.add(request, AddOptions.create().priority(wait.priority));
          }
        });
  }
}
