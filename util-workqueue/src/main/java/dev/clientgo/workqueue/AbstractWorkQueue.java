package dev.clientgo.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the plain queue and the priority queue: the wait for an item, the items that
 * workers process, the end, the metrics and the observer.
 */
abstract sealed class AbstractWorkQueue<T> implements WorkQueue<T>, WorkItem.Owner<T>
    permits PlainWorkQueue, HeapPriorityQueue {

  /*
   * Lock. One lock guards everything. Under it the queue calls equals and hashCode of items, a
   * caller's QueueOrder, the Clock and the observer, if there is one, but never handlers, rate
   * limiters or metrics.
   *
   * Time. No thread watches it. Each operation first moves in the items that are due. Of the workers
   * that find nothing to do, one, the leader, waits only until the next item is due; the others wait
   * for a signal. A worker that stops waiting while an item still waits for its time signals a
   * successor (the leader-follower pattern of java.util.concurrent.DelayQueue).
   */

  final ReentrantLock lock = new ReentrantLock();
  final Meter meter;
  final @Nullable QueueObserver observer;

  /** The processing set: the items that workers have. */
  @GuardedBy("lock")
  final Map<T, WorkItem<T>> processing = new HashMap<>();

  /** Signalled once for each item that becomes ready, and when a leader is needed. */
  private final Condition changed;

  /** Signalled when nothing is left to be processed, and when a drain is called off. */
  private final Condition drained;

  private final String name;
  private final Clock clock;
  private final long origin;

  @GuardedBy("lock")
  private @Nullable Thread leader;

  @GuardedBy("lock")
  private boolean draining;

  @GuardedBy("lock")
  private int unreportedAdds;

  /** Written under the lock. */
  private volatile boolean shuttingDown;

  AbstractWorkQueue(QueueConfig config) {
    this.name = config.name();
    this.clock = config.clock();
    changed = clock.newCondition(lock);
    drained = clock.newCondition(lock);
    this.origin = clock.nanoTime();
    this.meter = Meter.of(config);
    this.observer = config.observer();
  }

  /** Registers the gauges of a queue whose constructor has returned. */
  static <Q extends AbstractWorkQueue<?>> Q open(Q queue) {
    queue.showGauges();
    return queue;
  }

  void showGauges() {
    meter.gauge(QueueMetric.UNFINISHED_WORK_SECONDS, "", this::unfinishedWorkSeconds);
    meter.gauge(QueueMetric.LONGEST_RUNNING_PROCESSOR_SECONDS, "", this::longestRunningSeconds);
  }

  /* --------------- Differences between the queues --------------- */

  /** Removes the item that is next from the queue and calls {@link #startLocked} with it. */
  @GuardedBy("lock")
  abstract WorkItem<T> takeLocked();

  /** Queues an item that its worker has finished, if it was added again meanwhile. */
  @GuardedBy("lock")
  abstract void requeueLocked(T item);

  /** Returns how many items could be taken now. */
  @GuardedBy("lock")
  abstract int readyLocked();

  /** Returns the answer to {@link #size}. */
  @GuardedBy("lock")
  abstract int sizeLocked();

  /** Returns the items that need processing, without those that wait for their time. */
  @GuardedBy("lock")
  abstract List<T> unprocessedLocked();

  /** Returns how many items wait for their time. */
  @GuardedBy("lock")
  abstract int waitingLocked();

  /** Returns when the next item is due, {@link Nanos#FOREVER} if none waits for its time. */
  @GuardedBy("lock")
  abstract long nextDueLocked();

  /**
   * Moves items that are due into the queue, but not all at once, because other threads need the
   * lock too.
   *
   * @return whether there are more
   */
  @GuardedBy("lock")
  abstract boolean moveDueLocked();

  /** Drops the items that are not handed out after the queue has been shut down. */
  @GuardedBy("lock")
  abstract void discardLocked(boolean drain);

  /* --------------- Adding --------------- */

  /** Counts an item that has come to need processing. */
  @GuardedBy("lock")
  final void countAddLocked(T item) {
    if (meter.enabled()) {
      unreportedAdds++;
    }
    if (observer != null) {
      observer.added(item);
    }
  }

  /** Returns the adds since the last call, which the caller reports without the lock. */
  @GuardedBy("lock")
  final int takeAddsLocked() {
    int adds = unreportedAdds;
    unreportedAdds = 0;
    return adds;
  }

  /** Wakes a worker, because an item has become ready. */
  @GuardedBy("lock")
  final void signalItemLocked() {
    changed.signal();
  }

  /** Wakes a worker, because the next item is due sooner than the leader knows. */
  @GuardedBy("lock")
  final void signalSoonerLocked() {
    leader = null;
    changed.signal();
  }

  /** Moves in items that are due until one is ready or no more are due. */
  @GuardedBy("lock")
  private void moveDueUntilReadyLocked() {
    boolean more;
    do {
      more = moveDueLocked();
    } while (more && readyLocked() == 0);
  }

  /** Moves in all items that are due. Other threads may have the lock in between. */
  final void moveAllDue() {
    boolean more;
    do {
      int adds;
      lock.lock();
      try {
        more = moveDueLocked();
        adds = takeAddsLocked();
      } finally {
        lock.unlock();
      }
      meter.added(adds);
    } while (more);
  }

  /* --------------- Handing out --------------- */

  @Override
  public final Optional<WorkItem<T>> get() throws InterruptedException {
    try {
      return take(Nanos.FOREVER);
    } catch (TimeoutException e) {
      throw new AssertionError("292 years have passed", e);
    }
  }

  @Override
  public final Optional<WorkItem<T>> get(Duration timeout)
      throws InterruptedException, TimeoutException {
    return take(Math.max(0, Nanos.of(timeout)));
  }

  private Optional<WorkItem<T>> take(long timeout) throws InterruptedException, TimeoutException {
    WorkItem<T> taken;
    int adds;
    lock.lockInterruptibly();
    try {
      moveDueUntilReadyLocked();
      if (readyLocked() == 0 && !shuttingDown) {
        awaitReadyLocked(timeout);
      }
      taken = readyLocked() == 0 ? null : takeLocked();
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
    if (taken == null) {
      return Optional.empty();
    }
    meter.handedOut(taken.queuedNanos);
    if (observer != null) {
      observeStart(observer, taken);
    }
    return Optional.of(taken);
  }

  /**
   * Notifies the observer of the item before a worker gets it; gives the item back if the observer
   * is interrupted.
   */
  private void observeStart(QueueObserver starts, WorkItem<T> taken) throws InterruptedException {
    try {
      starts.starting(taken.value());
    } catch (InterruptedException e) {
      add(taken.value());
      taken.done();
      throw e;
    }
  }

  /** Puts an item into the processing set. */
  @GuardedBy("lock")
  final WorkItem<T> startLocked(T item, int priority, long since) {
    WorkItem<T> taken = new WorkItem<>(this, item, priority);
    if (processing.putIfAbsent(item, taken) != null) {
      throw new IllegalStateException("the item is with a worker already: " + item);
    }
    if (meter.enabled()) {
      taken.startedAt = now();
      taken.queuedNanos = taken.startedAt - since;
    }
    if (observer != null) {
      observer.got(item);
    }
    return taken;
  }

  /** Waits until an item is ready or the queue shuts down. */
  @GuardedBy("lock")
  private void awaitReadyLocked(long timeout) throws InterruptedException, TimeoutException {
    long deadline = timeout == Nanos.FOREVER ? Nanos.FOREVER : Nanos.add(now(), timeout);
    boolean served = false;
    try {
      while (readyLocked() == 0 && !shuttingDown) {
        if (deadline != Nanos.FOREVER && now() >= deadline) {
          throw new TimeoutException("no item in time");
        }
        awaitChangeLocked(deadline);
        moveDueUntilReadyLocked();
      }
      served = true;
    } finally {
      boolean needsLeader = leader == null && nextDueLocked() != Nanos.FOREVER;
      if (needsLeader || (!served && readyLocked() > 0)) {
        changed.signal();
      }
    }
  }

  @GuardedBy("lock")
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  private void awaitChangeLocked(long deadline) throws InterruptedException {
    long due = leader == null ? nextDueLocked() : Nanos.FOREVER;
    long until = Math.min(deadline, due);
    if (until == Nanos.FOREVER) {
      changed.await();
      return;
    }
    Thread self = Thread.currentThread();
    if (due != Nanos.FOREVER) {
      leader = self;
    }
    try {
      clock.await(lock, changed, Duration.ofNanos(until - now()));
    } finally {
      if (leader == self) {
        leader = null;
      }
    }
  }

  @Override
  public final void done(WorkItem<T> taken) {
    long worked;
    int adds;
    lock.lock();
    try {
      boolean finished;
      try {
        moveDueLocked();
      } finally { // Even if a QueueOrder fails.
        finished = finishLocked(taken);
      }
      if (!finished) {
        return;
      }
      worked = meter.enabled() ? now() - taken.startedAt : 0;
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
    meter.finished(worked);
  }

  /** Takes an item from its worker, and returns false if it is not with that worker any more. */
  @GuardedBy("lock")
  private boolean finishLocked(WorkItem<T> taken) {
    T item = taken.value();
    boolean found = processing.remove(item, taken);
    if (!found && !processing.values().remove(taken)) {
      return false;
    }
    try {
      requeueLocked(item);
    } finally {
      if (observer != null) {
        observer.done(item);
      }
      if (draining && isDrainedLocked()) {
        drained.signalAll();
      }
    }
    if (!found) {
      throw new IllegalStateException(
          "an item is not equal to itself any more: "
              + item
              + "; equals and hashCode must not change while it is in a queue");
    }
    return true;
  }

  /* --------------- The end --------------- */

  @Override
  public final void shutDown() {
    stop(false);
  }

  @Override
  public final void shutDownWithDrain() throws InterruptedException {
    drain(Nanos.FOREVER);
  }

  @Override
  public final WorkQueue.Unfinished<T> shutDownWithDrain(Duration timeout)
      throws InterruptedException {
    return drain(Math.max(0, Nanos.of(timeout)));
  }

  private WorkQueue.Unfinished<T> drain(long timeout) throws InterruptedException {
    stop(true);
    lock.lockInterruptibly();
    try {
      Deadline deadline = clock.deadline(Duration.ofNanos(timeout));
      while (draining && !isDrainedLocked()) {
        if (timeout == Nanos.FOREVER) {
          drained.await();
        } else if (!deadline.await(lock, drained)) {
          break;
        }
      }
      return new WorkQueue.Unfinished<>(new ArrayList<>(processing.keySet()), unprocessedLocked());
    } finally {
      lock.unlock();
    }
  }

  private void stop(boolean drain) {
    moveAllDue();
    lock.lock();
    try {
      shuttingDown = true;
      draining = drain;
      discardLocked(drain);
      changed.signalAll();
      drained.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isDrainedLocked() {
    return processing.isEmpty() && readyLocked() == 0;
  }

  @Override
  public final boolean shuttingDown() {
    return shuttingDown;
  }

  @Override
  public final void close() {
    shutDown();
    meter.close();
  }

  /* --------------- Looking --------------- */

  /**
   * Returns the time since the queue was created. Unlike a reading of the clock, never negative.
   */
  final long now() {
    return Math.max(0, clock.nanoTime() - origin);
  }

  @Override
  public final int size() {
    moveAllDue();
    lock.lock();
    try {
      return sizeLocked();
    } finally {
      lock.unlock();
    }
  }

  private double unfinishedWorkSeconds() {
    lock.lock();
    try {
      long now = now();
      return processing.values().stream()
          .mapToDouble(taken -> Nanos.toSeconds(now - taken.startedAt))
          .sum();
    } finally {
      lock.unlock();
    }
  }

  private double longestRunningSeconds() {
    lock.lock();
    try {
      long now = now();
      return processing.values().stream()
          .mapToDouble(taken -> Nanos.toSeconds(now - taken.startedAt))
          .max()
          .orElse(0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final String toString() {
    lock.lock();
    try {
      return "%s[size=%s, processing=%s, waiting=%s, shuttingDown=%s]"
          .formatted(
              name.isEmpty() ? "queue" : name,
              sizeLocked(),
              processing.size(),
              waitingLocked(),
              shuttingDown);
    } finally {
      lock.unlock();
    }
  }
}
