package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The priority queue of controller-runtime: one entry for each item that needs processing. */
final class HeapPriorityQueue<T> extends AbstractWorkQueue<T> implements PriorityQueue<T> {

  /*
   * An entry exists from the add of its item until a worker takes it, and is in one state:
   *
   *                it is time                     get
   *    WAITING ──────────────┬──────▶ READY ───────────────▶ in the processing set
   *    add ──────────────────┤          ▲
   *                          │          │ done
   *                          └──────▶ BLOCKED
   *                           while a worker has the item
   */

  private enum State {
    /** Not due yet; in the heap {@link #waiting}. */
    WAITING,
    /** For the next worker; in the heap {@link #ready}. */
    READY,
    /** Due, but a worker still has the item. */
    BLOCKED
  }

  /** An item that needs processing. */
  private static final class Entry<T> extends IndexedHeap.Node {
    final T item;
    int priority;
    State state = State.WAITING;

    /** When the item became due or will. Only kept for metrics and while it waits. */
    long dueAt;

    /** Orders entries of one priority: the smaller one was there first. */
    long ticket;

    Entry(T item, int priority, long ticket) {
      this.item = item;
      this.priority = priority;
      this.ticket = ticket;
    }
  }

  private static final Comparator<Entry<?>> BY_PRIORITY =
      (a, b) ->
          a.priority == b.priority
              ? Long.compare(a.ticket, b.ticket)
              : Integer.compare(b.priority, a.priority);

  private static final Comparator<Entry<?>> BY_TIME =
      (a, b) -> a.dueAt == b.dueAt ? BY_PRIORITY.compare(a, b) : Long.compare(a.dueAt, b.dueAt);

  private final RateLimiter<? super T> limiter;

  @GuardedBy("lock")
  private final Map<T, Entry<T>> entries = new HashMap<>();

  @GuardedBy("lock")
  private final IndexedHeap<Entry<T>> ready = new IndexedHeap<>(BY_PRIORITY);

  @GuardedBy("lock")
  private final IndexedHeap<Entry<T>> waiting = new IndexedHeap<>(BY_TIME);

  /** How many entries are {@link State#BLOCKED}. */
  @GuardedBy("lock")
  private int blocked;

  @GuardedBy("lock")
  private final DepthByPriority depth = new DepthByPriority();

  @GuardedBy("lock")
  private long tickets;

  HeapPriorityQueue(QueueConfig config, RateLimiter<? super T> limiter) {
    super(config);
    this.limiter = requireNonNull(limiter, "limiter");
  }

  @Override
  public void add(T item) {
    add(item, AddOptions.create());
  }

  @Override
  public void addAfter(T item, Duration delay) {
    add(item, AddOptions.create().after(delay));
  }

  @Override
  public void addRateLimited(T item) {
    add(item, AddOptions.create().rateLimited());
  }

  @Override
  public void add(T item, AddOptions options) {
    requireNonNull(item, "item");
    if (!shuttingDown()) {
      // The rate limiter is user code: not under the lock.
      add(List.of(item), options.priority(), new long[] {options.delayNanos(item, limiter)});
    }
  }

  @Override
  public void addAll(Collection<? extends T> items, AddOptions options) {
    List<T> copy = List.copyOf(items);
    if (!shuttingDown()) {
      add(
          copy,
          options.priority(),
          copy.stream().mapToLong(item -> options.delayNanos(item, limiter)).toArray());
    }
  }

  private void add(List<T> items, int priority, long[] delays) {
    int adds;
    List<DepthByPriority.Cell> newDepths;
    lock.lock();
    try {
      if (shuttingDown()) {
        return;
      }
      moveDueLocked();
      for (int i = 0; i < delays.length; i++) {
        addLocked(items.get(i), priority, delays[i]);
      }
      adds = takeAddsLocked();
      newDepths = depth.takeNew();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
    for (long delay : delays) {
      if (delay > 0) {
        meter.retried();
      }
    }
    newDepths.forEach(this::showDepth);
  }

  @GuardedBy("lock")
  private void addLocked(T item, int priority, long delay) {
    boolean waits = delay > 0;
    long dueAt = waits || meter.enabled() ? Nanos.add(now(), Math.max(0, delay)) : 0;
    Entry<T> entry = entries.get(item);
    if (entry == null) {
      addNewLocked(item, priority, dueAt, waits);
      return;
    }
    if (priority > entry.priority) {
      raiseLocked(entry, priority);
    }
    if (entry.state == State.WAITING) {
      hastenLocked(entry, dueAt, waits);
      observeDelayLocked(item, waits ? delay : 0);
    } else if (observer != null) {
      observer.alreadyAdded(item);
    }
  }

  @GuardedBy("lock")
  private void addNewLocked(T item, int priority, long dueAt, boolean waits) {
    Entry<T> entry = new Entry<>(item, priority, tickets++);
    entries.put(item, entry);
    if (meter.enabled()) {
      depth.cell(priority); // Registers the gauge now, even if it is zero until the item is due.
    }
    if (waits) {
      entry.dueAt = dueAt;
      waiting.add(entry);
      if (waiting.peek() == entry) {
        signalSoonerLocked();
      }
      observeDelayLocked(item, dueAt - now());
    } else {
      makeDueLocked(entry, dueAt);
    }
  }

  /** Makes an entry READY, or BLOCKED while a worker has the item. */
  @GuardedBy("lock")
  private void makeDueLocked(Entry<T> entry, long dueAt) {
    entry.dueAt = dueAt;
    if (processing.containsKey(entry.item)) {
      entry.state = State.BLOCKED;
      blocked++;
    } else {
      makeReadyLocked(entry);
    }
    countAddLocked(entry.item);
    countDueLocked(entry, 1);
  }

  @GuardedBy("lock")
  private void makeReadyLocked(Entry<T> entry) {
    entry.state = State.READY;
    ready.add(entry);
    signalItemLocked();
  }

  /** Gives an entry a higher priority, behind the entries that have it already. */
  @GuardedBy("lock")
  private void raiseLocked(Entry<T> entry, int priority) {
    boolean due = entry.state != State.WAITING;
    if (due) {
      countDueLocked(entry, -1);
    }
    entry.priority = priority;
    entry.ticket = tickets++;
    if (due) {
      countDueLocked(entry, 1);
    }
    if (entry.state == State.READY) {
      ready.moved(entry);
    } else if (entry.state == State.WAITING) {
      waiting.moved(entry);
    }
  }

  /** Lets a waiting entry wait no longer than until {@code dueAt}. It keeps its ticket. */
  @GuardedBy("lock")
  private void hastenLocked(Entry<T> entry, long dueAt, boolean waits) {
    if (!waits) {
      waiting.remove(entry);
      observeDueLocked(entry);
      makeDueLocked(entry, dueAt);
    } else if (dueAt < entry.dueAt) {
      entry.dueAt = dueAt;
      waiting.moved(entry);
      if (waiting.peek() == entry) {
        signalSoonerLocked();
      }
    }
  }

  @GuardedBy("lock")
  private void observeDelayLocked(T item, long delay) {
    if (observer != null && delay > 0) {
      observer.delayed(item, Duration.ofNanos(delay));
    }
  }

  @GuardedBy("lock")
  private void observeDueLocked(Entry<T> entry) {
    if (observer != null) {
      observer.due(entry.item);
    }
  }

  @Override
  @GuardedBy("lock")
  boolean moveDueLocked() {
    if (waiting.isEmpty()) {
      return false;
    }
    long now = now();
    for (int i = 0; i < PlainWorkQueue.BATCH; i++) {
      if (nextDueLocked() > now) {
        return false;
      }
      Entry<T> entry = requireNonNull(waiting.peek());
      waiting.remove(entry);
      // Among equals an item comes when its time came, not when it was added.
      entry.ticket = tickets++;
      observeDueLocked(entry);
      makeDueLocked(entry, entry.dueAt);
    }
    return nextDueLocked() <= now;
  }

  @Override
  @GuardedBy("lock")
  long nextDueLocked() {
    Entry<T> first = waiting.peek();
    return first == null ? Nanos.FOREVER : first.dueAt;
  }

  @Override
  @GuardedBy("lock")
  WorkItem<T> takeLocked() {
    Entry<T> entry = requireNonNull(ready.peek());
    ready.remove(entry);
    entries.remove(entry.item);
    countDueLocked(entry, -1);
    return startLocked(entry.item, entry.priority, entry.dueAt);
  }

  @Override
  @GuardedBy("lock")
  void requeueLocked(T item) {
    Entry<T> entry = entries.get(item);
    if (entry != null && entry.state == State.BLOCKED) {
      blocked--;
      makeReadyLocked(entry);
    }
  }

  @Override
  @GuardedBy("lock")
  int readyLocked() {
    return ready.size();
  }

  @Override
  @GuardedBy("lock")
  int waitingLocked() {
    return waiting.size();
  }

  @Override
  @GuardedBy("lock")
  int sizeLocked() {
    return ready.size() + blocked;
  }

  @Override
  @GuardedBy("lock")
  List<T> unprocessedLocked() {
    return entries.values().stream()
        .filter(entry -> entry.state != State.WAITING)
        .map(entry -> entry.item)
        .toList();
  }

  @Override
  @GuardedBy("lock")
  void discardLocked(boolean drain) {
    waiting.clear();
    if (drain) {
      entries.values().removeIf(entry -> entry.state == State.WAITING);
    } else {
      entries.clear();
      ready.clear();
      blocked = 0;
      depth.clear();
    }
    if (observer != null) {
      observer.shutDown(!drain);
    }
  }

  @Override
  public void forget(T item) {
    limiter.forget(requireNonNull(item, "item"));
    if (observer != null) {
      observer.forgotten(item);
    }
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(requireNonNull(item, "item"));
  }

  /* --------------- Depth --------------- */

  /** Notes in the depth that an entry has become due (+1) or is taken (-1). */
  @GuardedBy("lock")
  private void countDueLocked(Entry<T> entry, int change) {
    if (meter.enabled()) {
      depth.cell(entry.priority).depth += change;
    }
  }

  private void showDepth(DepthByPriority.Cell cell) {
    meter.gauge(QueueMetric.DEPTH, cell.label, () -> depth(cell));
  }

  private double depth(DepthByPriority.Cell cell) {
    moveAllDue();
    lock.lock();
    try {
      return cell.depth;
    } finally {
      lock.unlock();
    }
  }
}
