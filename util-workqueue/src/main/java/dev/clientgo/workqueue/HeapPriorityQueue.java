package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The priority queue of controller-runtime. */
final class HeapPriorityQueue<T> extends QueueCore<T, PriorityLife<T>> implements PriorityQueue<T> {

  private static final Comparator<PriorityLife<?>> BY_PRIORITY =
      (a, b) ->
          a.priority == b.priority
              ? Long.compare(a.ticket, b.ticket)
              : Integer.compare(b.priority, a.priority);

  private static final Comparator<PriorityLife<?>> BY_TIME =
      (a, b) ->
          a.readyAt == b.readyAt ? BY_PRIORITY.compare(a, b) : Long.compare(a.readyAt, b.readyAt);

  private final RateLimiter<? super T> limiter;

  @GuardedBy("lock")
  private final IndexedHeap<PriorityLife<T>> ready = new IndexedHeap<>(BY_PRIORITY);

  @GuardedBy("lock")
  private final IndexedHeap<PriorityLife<T>> waiting = new IndexedHeap<>(BY_TIME);

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
      promoteLocked();
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
    long readyAt = waits || meter.enabled() ? Nanos.add(now(), Math.max(0, delay)) : 0;
    PriorityLife<T> newest = lives.get(item);
    if (newest == null || newest.state == Life.State.PROCESSING) {
      beginLocked(item, newest, priority, readyAt, waits);
      return;
    }
    if (priority > newest.priority) {
      raiseLocked(newest, priority);
    }
    if (newest.state == Life.State.WAITING) {
      hastenLocked(newest, readyAt, waits);
    }
  }

  @GuardedBy("lock")
  private void beginLocked(
      T item, @Nullable PriorityLife<T> running, int priority, long readyAt, boolean waits) {
    PriorityLife<T> life = new PriorityLife<>(this, item, running);
    life.priority = priority;
    life.ticket = tickets++;
    lives.put(item, life);
    if (meter.enabled()) {
      depth.cell(priority); // Shown from now on, even if it is zero until the time has come.
    }
    if (waits) {
      life.readyAt = readyAt;
      waiting.add(life);
      if (waiting.peek() == life) {
        dueSoonerLocked();
      }
    } else {
      makeDueLocked(life, readyAt);
    }
  }

  /** Gives an entry a higher priority, behind those that have it already. */
  @GuardedBy("lock")
  private void raiseLocked(PriorityLife<T> life, int priority) {
    boolean counted = meter.enabled() && life.state != Life.State.WAITING;
    if (counted) {
      countDueLocked(life, -1);
    }
    life.priority = priority;
    life.ticket = tickets++;
    if (counted) {
      countDueLocked(life, 1);
    }
    if (life.state == Life.State.READY) {
      ready.moved(life);
    } else if (life.state == Life.State.WAITING) {
      waiting.moved(life);
    }
  }

  /** Lets an entry that waits wait no longer than until then. It keeps its ticket. */
  @GuardedBy("lock")
  private void hastenLocked(PriorityLife<T> life, long readyAt, boolean waits) {
    if (!waits) {
      waiting.remove(life);
      makeDueLocked(life, readyAt);
    } else if (readyAt < life.readyAt) {
      life.readyAt = readyAt;
      waiting.moved(life);
      if (waiting.peek() == life) {
        dueSoonerLocked();
      }
    }
  }

  @Override
  @GuardedBy("lock")
  boolean promoteLocked() {
    if (waiting.isEmpty()) {
      return false;
    }
    long now = now();
    for (int i = 0; i < DirtyDelayingQueue.PROMOTION_BATCH; i++) {
      if (nextDueLocked() > now) {
        return false;
      }
      PriorityLife<T> life = requireNonNull(waiting.peek());
      waiting.remove(life);
      // Among its peers it comes when its time came, not when it was added.
      life.ticket = tickets++;
      makeDueLocked(life, life.readyAt);
    }
    return nextDueLocked() <= now;
  }

  @Override
  @GuardedBy("lock")
  long nextDueLocked() {
    PriorityLife<T> first = waiting.peek();
    return first == null ? Nanos.FOREVER : first.readyAt;
  }

  @Override
  @GuardedBy("lock")
  void pushLocked(PriorityLife<T> life) {
    ready.add(life);
  }

  @Override
  @GuardedBy("lock")
  PriorityLife<T> popLocked() {
    PriorityLife<T> life = requireNonNull(ready.peek());
    ready.remove(life);
    return life;
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
    return ready.size() + held;
  }

  @Override
  @GuardedBy("lock")
  void discardLocked(boolean drain) {
    waiting.clear();
    if (!drain) {
      ready.clear();
      held = 0;
      depth.clear();
    }
    Iterator<Map.Entry<T, PriorityLife<T>>> newest = lives.entrySet().iterator();
    while (newest.hasNext()) {
      Map.Entry<T, PriorityLife<T>> entry = newest.next();
      PriorityLife<T> life = entry.getValue();
      if (life.state == Life.State.PROCESSING || (drain && life.state != Life.State.WAITING)) {
        continue;
      }
      life.state = Life.State.OVER;
      if (life.running == null) {
        newest.remove();
      } else {
        entry.setValue((PriorityLife<T>) life.running);
      }
    }
  }

  @Override
  public void forget(T item) {
    limiter.forget(requireNonNull(item, "item"));
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(requireNonNull(item, "item"));
  }

  /* --------------- Depth --------------- */

  @Override
  @GuardedBy("lock")
  void countDueLocked(PriorityLife<T> life, int change) {
    depth.cell(life.priority).depth += change;
  }

  private void showDepth(DepthByPriority.Cell cell) {
    meter.gauge(QueueMetric.DEPTH, cell.label, () -> depth(cell));
  }

  private double depth(DepthByPriority.Cell cell) {
    promoteAll();
    lock.lock();
    try {
      return cell.depth;
    } finally {
      lock.unlock();
    }
  }
}
