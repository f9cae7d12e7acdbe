package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work queue of client-go: a queue, a dirty set and a processing set, and beside them the items
 * that wait for their time.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.Typed} and {@code delayingType}.
 */
sealed class PlainWorkQueue<T> extends AbstractWorkQueue<T> implements DelayingQueue<T>
    permits LimitedDelayingQueue {

  /*
   * An item is in
   *
   *   dirty        if it needs processing, from add to get;
   *   processing   if a worker has it, from get to done (see the superclass);
   *   queue        if it is dirty and not processing: only then may a worker have it.
   *
   *    add                get                  done
   *   ─────▶ dirty+queue ─────▶ processing ───────────▶ gone
   *               ▲                 │ add
   *               │ done            ▼
   *               └──────── dirty+processing
   *
   * So an item that is added ten times is processed once, an item that is added while a worker has
   * it is processed once more, and no two workers ever have the same item.
   */

  /** How many waiting items come in under the lock before other threads may have it. */
  static final int BATCH = 256;

  /** When an item that the order has refused is pushed again. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** The order in which items are handed out. */
  @GuardedBy("lock")
  private final QueueOrder<T> queue;

  /** How many items are in {@link #queue}. */
  @GuardedBy("lock")
  private int queued;

  /** The items that need processing, each with the time since when, for the metrics. */
  @GuardedBy("lock")
  private final Map<T, Long> dirty = new HashMap<>();

  /** The items of {@link #addAfter}, which come in when they are due. */
  @GuardedBy("lock")
  private final DelayHeap<T> waiting = new DelayHeap<>();

  /** First in, first out: an item keeps the place of its first add. */
  static final class Fifo<T> implements QueueOrder<T> {

    private final ArrayDeque<T> items = new ArrayDeque<>();

    @Override
    public void push(T item) {
      items.addLast(item);
    }

    @Override
    public T pop() {
      return items.removeFirst();
    }
  }

  PlainWorkQueue(QueueConfig config, QueueOrder<T> queue) {
    super(config);
    this.queue = requireNonNull(queue, "order");
  }

  @Override
  public final void add(T item) {
    requireNonNull(item, "item");
    int adds;
    lock.lock();
    try {
      if (shuttingDown()) {
        return;
      }
      moveDueLocked();
      addLocked(item, meter.enabled() ? now() : 0);
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
  }

  @GuardedBy("lock")
  private void addLocked(T item, long since) {
    boolean added = dirty.putIfAbsent(item, since) == null;
    boolean held = processing.containsKey(item);
    if (!added) {
      if (!held) {
        queue.touch(item);
      }
      if (observer != null) {
        observer.alreadyAdded(item);
      }
      return;
    }
    if (!held) {
      try {
        pushLocked(item);
      } catch (RuntimeException | Error e) {
        dirty.remove(item); // The order has refused the item: the queue is as it was.
        throw e;
      }
    }
    countAddLocked(item);
  }

  @GuardedBy("lock")
  private void pushLocked(T item) {
    queue.push(item);
    queued++;
    signalItemLocked();
  }

  @Override
  @GuardedBy("lock")
  WorkItem<T> takeLocked() {
    T item = queue.pop();
    Long since = item == null ? null : dirty.remove(item);
    if (since == null) {
      throw new IllegalStateException(
          queue.getClass().getName()
              + ".pop() returned an item that is not queued: "
              + item
              + "; or its equals and hashCode have changed while it was in the queue");
    }
    queued--;
    return startLocked(item, 0, since);
  }

  @Override
  @GuardedBy("lock")
  void requeueLocked(T item) {
    if (dirty.containsKey(item)) {
      pushOrRetryLocked(item);
    }
  }

  @GuardedBy("lock")
  private void pushOrRetryLocked(T item) {
    try {
      pushLocked(item);
    } catch (RuntimeException | Error e) {
      dirty.remove(item);
      retryLocked(item);
      throw e;
    }
  }

  /** Keeps an item that the order has refused, so that neither it nor the others are lost. */
  @GuardedBy("lock")
  private void retryLocked(T item) {
    if (waiting.add(item, Nanos.add(now(), RETRY.toNanos()))) {
      signalSoonerLocked();
    }
  }

  @Override
  @GuardedBy("lock")
  int readyLocked() {
    return queued;
  }

  @Override
  @GuardedBy("lock")
  int sizeLocked() {
    return queued;
  }

  @Override
  @GuardedBy("lock")
  List<T> unprocessedLocked() {
    return new ArrayList<>(dirty.keySet());
  }

  @Override
  void showGauges() {
    super.showGauges();
    meter.gauge(QueueMetric.DEPTH, "", this::depth);
  }

  /** Unlike the size, this counts items that were added while a worker has them. */
  private double depth() {
    moveAllDue();
    lock.lock();
    try {
      return dirty.size();
    } finally {
      lock.unlock();
    }
  }

  /* --------------- Waiting items --------------- */

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
    } else {
      waitFor(item, nanos);
    }
  }

  private void waitFor(T item, long delay) {
    int adds;
    lock.lock();
    try {
      if (shuttingDown()) {
        return;
      }
      moveDueLocked();
      if (waiting.add(item, Nanos.add(now(), delay))) {
        signalSoonerLocked();
      }
      if (observer != null) {
        observer.delayed(item, Duration.ofNanos(delay));
      }
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
  }

  @Override
  @GuardedBy("lock")
  boolean moveDueLocked() {
    if (waiting.size() == 0) {
      return false;
    }
    long now = now();
    for (int i = 0; i < BATCH && waiting.isDue(now); i++) {
      DelayHeap.Entry<T> first = waiting.first();
      if (observer != null) {
        observer.due(first.item);
      }
      waiting.removeFirst();
      try {
        addLocked(first.item, first.dueAt);
      } catch (RuntimeException | Error e) {
        retryLocked(first.item);
        throw e;
      }
    }
    return waiting.isDue(now);
  }

  @Override
  @GuardedBy("lock")
  long nextDueLocked() {
    return waiting.nextDue();
  }

  @Override
  @GuardedBy("lock")
  int waitingLocked() {
    return waiting.size();
  }

  @Override
  @GuardedBy("lock")
  void discardLocked(boolean drain) {
    waiting.clear();
    if (observer != null) {
      observer.shutDown(false);
    }
  }
}
