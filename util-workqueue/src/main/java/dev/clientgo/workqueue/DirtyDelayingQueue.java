package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The delaying queue of client-go: a work queue beside which items wait. */
sealed class DirtyDelayingQueue<T> extends DirtyQueue<T> implements DelayingQueue<T>
    permits DirtyRateLimitingQueue {

  /** How many items become due under the lock before others may have it. */
  static final int PROMOTION_BATCH = 256;

  /** An item that waits. Kept small: there may be a million. */
  private static final class Delayed<T> extends IndexedHeap.Node {
    final T item;
    long readyAt;

    /** Tells who came first of those that are due at the same time. */
    final int ticket;

    Delayed(T item, long readyAt, int ticket) {
      this.item = item;
      this.readyAt = readyAt;
      this.ticket = ticket;
    }
  }

  // By difference, for tickets wrap around.
  private static final Comparator<Delayed<?>> BY_TIME =
      (a, b) ->
          a.readyAt == b.readyAt
              ? Integer.signum(a.ticket - b.ticket)
              : Long.compare(a.readyAt, b.readyAt);

  @GuardedBy("lock")
  private final Map<T, Delayed<T>> waiting = new HashMap<>();

  @GuardedBy("lock")
  private final IndexedHeap<Delayed<T>> byTime = new IndexedHeap<>(BY_TIME);

  @GuardedBy("lock")
  private int tickets;

  DirtyDelayingQueue(QueueConfig config, ReadyOrder<T> ready) {
    super(config, ready);
  }

  @Override
  public final void addAfter(T item, Duration delay) {
    requireNonNull(item, "item");
    long nanos = Nanos.of(delay);
    if (shuttingDown()) {
      return;
    }
    meter.retried();
    if (nanos <= 0) {
      add(item);
      return;
    }
    int adds;
    lock.lock();
    try {
      if (shuttingDown()) {
        return;
      }
      promoteLocked();
      delayLocked(item, Nanos.add(now(), nanos));
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
  }

  @GuardedBy("lock")
  private void delayLocked(T item, long readyAt) {
    Delayed<T> delayed = waiting.get(item);
    if (delayed == null) {
      delayed = new Delayed<>(item, readyAt, tickets++);
      waiting.put(item, delayed);
      byTime.add(delayed);
    } else if (readyAt < delayed.readyAt) {
      delayed.readyAt = readyAt;
      byTime.moved(delayed);
    } else {
      return;
    }
    if (byTime.peek() == delayed) {
      dueSoonerLocked();
    }
  }

  @Override
  @GuardedBy("lock")
  final boolean promoteLocked() {
    if (byTime.isEmpty()) {
      return false;
    }
    long now = now();
    for (int i = 0; i < PROMOTION_BATCH; i++) {
      Delayed<T> first = firstDueLocked(now);
      if (first == null) {
        return false;
      }
      addLocked(first.item, first.readyAt);
      byTime.remove(first);
      waiting.remove(first.item);
    }
    return firstDueLocked(now) != null;
  }

  @GuardedBy("lock")
  private @Nullable Delayed<T> firstDueLocked(long now) {
    Delayed<T> first = byTime.peek();
    return first == null || first.readyAt > now ? null : first;
  }

  @Override
  @GuardedBy("lock")
  final long nextDueLocked() {
    Delayed<T> first = byTime.peek();
    return first == null ? Nanos.FOREVER : first.readyAt;
  }

  @Override
  @GuardedBy("lock")
  final int waitingLocked() {
    return byTime.size();
  }

  @Override
  @GuardedBy("lock")
  final void discardLocked(boolean drain) {
    waiting.clear();
    byTime.clear();
  }
}
