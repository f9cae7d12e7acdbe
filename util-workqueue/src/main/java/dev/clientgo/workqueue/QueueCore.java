package dev.clientgo.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
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
 * What all queues have in common: the lives of items, the waiting of workers, the end.
 *
 * @param <L> the lives that the queue keeps
 */
abstract sealed class QueueCore<T, L extends Life<T>> implements WorkQueue<T>
    permits DirtyQueue, HeapPriorityQueue {

  /*
   * Lives. client-go keeps a set of dirty items and one of processing items, and an item can be in
   * both. Here an item that is in both has two lives, and a life is in one state:
   *
   *              it is time                 get               done
   *    WAITING ─────────────┬──────▶ READY ──────▶ PROCESSING ──────▶ OVER
   *    add ─────────────────┤          ▲
   *                         │          │ done, of the life before
   *                         └──────▶ HELD
   *                          while the life before is PROCESSING
   *
   * The map "lives" has the newest life of each item that has one. It points to the life before it
   * ("running") exactly as long as that one is PROCESSING. So there are two lives at most, at most
   * one is PROCESSING, and a life once READY leaves only through a worker.
   *
   * Lock. One lock guards all. Under it we call the items' equals and hashCode, a caller's
   * QueueOrder and the Clock; never handlers, rate limiters or metrics.
   *
   * Time. No thread watches it. Every operation first makes due what has become so ("promote"). Of
   * the workers that find nothing to do, one, the leader, waits only until the next life is due, the
   * others until they are signalled; who stops waiting while something still waits for its time
   * signals a successor (the leader-follower pattern of java.util.concurrent.DelayQueue).
   */

  final ReentrantLock lock = new ReentrantLock();
  final Meter meter;

  /** Signalled once for each life that becomes READY, and when a leader is needed. */
  private final Condition changed = lock.newCondition();

  /** Signalled when nothing is left to be processed, and when nobody shall wait for that. */
  private final Condition drained = lock.newCondition();

  private final String name;
  private final Clock clock;
  private final long origin;

  @GuardedBy("lock")
  final Map<T, L> lives = new HashMap<>();

  @GuardedBy("lock")
  final LifeList<T> processing = new LifeList<>();

  @GuardedBy("lock")
  int held;

  @GuardedBy("lock")
  private @Nullable Thread leader;

  @GuardedBy("lock")
  private boolean draining;

  @GuardedBy("lock")
  private int unreportedAdds;

  /** Written under the lock. */
  private volatile boolean shuttingDown;

  QueueCore(QueueConfig config) {
    this.name = config.name();
    this.clock = config.clock();
    this.origin = clock.nanoTime();
    this.meter = Meter.of(config);
  }

  /** Shows the gauges of a queue that is complete. */
  static <Q extends QueueCore<?, ?>> Q open(Q queue) {
    queue.showGauges();
    return queue;
  }

  void showGauges() {
    meter.gauge(QueueMetric.UNFINISHED_WORK_SECONDS, "", this::unfinishedWorkSeconds);
    meter.gauge(QueueMetric.LONGEST_RUNNING_PROCESSOR_SECONDS, "", this::longestRunningSeconds);
  }

  /* --------------- What the queues differ in --------------- */

  /** Takes in a life that becomes READY. If it throws, it has not taken it in. */
  @GuardedBy("lock")
  abstract void pushLocked(L life);

  /** Removes and returns the READY life to be handed out next, of at least one. */
  @GuardedBy("lock")
  abstract L popLocked();

  /** Returns how many lives are READY. */
  @GuardedBy("lock")
  abstract int readyLocked();

  /** Returns what {@link #size} tells. */
  @GuardedBy("lock")
  abstract int sizeLocked();

  /** Returns how many lives are WAITING. */
  @GuardedBy("lock")
  int waitingLocked() {
    return 0;
  }

  /** Returns when the next life is due, {@link Nanos#FOREVER} if none is WAITING. */
  @GuardedBy("lock")
  long nextDueLocked() {
    return Nanos.FOREVER;
  }

  /**
   * Makes due what has become so, but not without bound: others need the lock too.
   *
   * @return whether there is more
   */
  @GuardedBy("lock")
  boolean promoteLocked() {
    return false;
  }

  /** Drops what a queue that shuts down does not hand out any more. */
  @GuardedBy("lock")
  void discardLocked(boolean drain) {}

  /** Notes that a life has become due (+1) or is so no more (-1). */
  @GuardedBy("lock")
  void countDueLocked(L life, int change) {}

  /* --------------- Becoming due --------------- */

  /** Makes a life due: READY, or HELD if the life before it is not over. */
  @GuardedBy("lock")
  final void makeDueLocked(L life, long readyAt) {
    life.readyAt = readyAt;
    if (life.running == null) {
      makeReadyLocked(life);
    } else {
      life.state = Life.State.HELD;
      held++;
    }
    if (meter.enabled()) {
      unreportedAdds++;
      countDueLocked(life, 1);
    }
  }

  @GuardedBy("lock")
  private void makeReadyLocked(L life) {
    pushLocked(life);
    life.state = Life.State.READY;
    changed.signal();
  }

  /** Lets a worker know that the next life is due sooner than the leader thinks. */
  @GuardedBy("lock")
  final void dueSoonerLocked() {
    leader = null;
    changed.signal();
  }

  /** Promotes until there is something to hand out, or no more to promote. */
  @GuardedBy("lock")
  private void promoteUntilReadyLocked() {
    boolean more;
    do {
      more = promoteLocked();
    } while (more && readyLocked() == 0);
  }

  /** Promotes all that is due, leaving the lock to others in between. */
  final void promoteAll() {
    boolean more;
    do {
      int adds;
      lock.lock();
      try {
        more = promoteLocked();
        adds = takeAddsLocked();
      } finally {
        lock.unlock();
      }
      meter.added(adds);
    } while (more);
  }

  /**
   * Returns how many lives have become due since the last call, to be reported without the lock.
   */
  @GuardedBy("lock")
  final int takeAddsLocked() {
    int adds = unreportedAdds;
    unreportedAdds = 0;
    return adds;
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
    L life;
    int adds;
    lock.lockInterruptibly();
    try {
      promoteUntilReadyLocked();
      if (readyLocked() == 0 && !shuttingDown) {
        awaitReadyLocked(timeout);
      }
      life = readyLocked() == 0 ? null : handOutLocked();
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
    if (life == null) {
      return Optional.empty();
    }
    meter.handedOut(life.startedAt - life.readyAt);
    return Optional.of(life);
  }

  @GuardedBy("lock")
  private L handOutLocked() {
    L life = popLocked();
    life.state = Life.State.PROCESSING;
    processing.push(life);
    if (meter.enabled()) {
      life.startedAt = now();
      countDueLocked(life, -1);
    }
    return life;
  }

  /** Waits until there is a life that is READY, or the queue shuts down. */
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
        promoteUntilReadyLocked();
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

  /** Ends the processing of a life that was handed out; does nothing if it is over. */
  final void done(Life<T> life) {
    long worked;
    int adds;
    lock.lock();
    try {
      if (life.state != Life.State.PROCESSING) {
        return;
      }
      promoteLocked();
      endLocked(life);
      worked = meter.enabled() ? now() - life.startedAt : 0;
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
    meter.finished(worked);
  }

  @GuardedBy("lock")
  private void endLocked(Life<T> life) {
    L newest = lives.get(life.value());
    if (newest == life) {
      lives.remove(life.value());
    } else if (newest != null) {
      if (newest.state == Life.State.HELD) {
        makeReadyLocked(newest);
        held--;
      }
      newest.running = null;
    }
    processing.remove(life);
    life.state = Life.State.OVER;
    if (isDrainedLocked()) {
      drained.signalAll();
    }
    if (newest == null) {
      throw new IllegalStateException(
          "an item is not equal to itself any more: "
              + life.value()
              + "; equals and hashCode must not change while it is in a queue");
    }
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
  public final Unfinished<T> shutDownWithDrain(Duration timeout) throws InterruptedException {
    return drain(Math.max(0, Nanos.of(timeout)));
  }

  private Unfinished<T> drain(long timeout) throws InterruptedException {
    stop(true);
    lock.lockInterruptibly();
    try {
      long deadline = timeout == Nanos.FOREVER ? Nanos.FOREVER : Nanos.add(now(), timeout);
      while (draining && !isDrainedLocked()) {
        if (deadline == Nanos.FOREVER) {
          drained.await();
          continue;
        }
        long left = deadline - now();
        if (left <= 0) {
          break;
        }
        clock.await(lock, drained, Duration.ofNanos(left));
      }
      return unfinishedLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Unfinished<T> unfinishedLocked() {
    List<T> inProcess = new ArrayList<>();
    for (Life<T> life = processing.first(); life != null; life = life.next) {
      inProcess.add(life.value());
    }
    List<T> queued = new ArrayList<>();
    for (L life : lives.values()) {
      if (life.state == Life.State.READY || life.state == Life.State.HELD) {
        queued.add(life.value());
      }
    }
    return new Unfinished<>(inProcess, queued);
  }

  private void stop(boolean drain) {
    promoteAll();
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
    return processing.size() == 0 && readyLocked() == 0;
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

  /** Returns the time since the queue was made: never negative, unlike a reading of the clock. */
  final long now() {
    return Math.max(0, clock.nanoTime() - origin);
  }

  @Override
  public final int size() {
    promoteAll();
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
      double seconds = 0;
      long now = now();
      for (Life<T> life = processing.first(); life != null; life = life.next) {
        seconds += Nanos.toSeconds(now - life.startedAt);
      }
      return seconds;
    } finally {
      lock.unlock();
    }
  }

  private double longestRunningSeconds() {
    lock.lock();
    try {
      Life<T> oldest = processing.first();
      return oldest == null ? 0 : Nanos.toSeconds(now() - oldest.startedAt);
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
