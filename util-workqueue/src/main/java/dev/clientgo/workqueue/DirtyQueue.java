package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** The work queue of client-go. */
sealed class DirtyQueue<T> extends QueueCore<T, Life<T>> permits DirtyDelayingQueue {

  @GuardedBy("lock")
  private final ReadyOrder<T> ready;

  DirtyQueue(QueueConfig config, ReadyOrder<T> ready) {
    super(config);
    this.ready = ready;
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
      promoteLocked();
      addLocked(item, meter.enabled() ? now() : 0);
      adds = takeAddsLocked();
    } finally {
      lock.unlock();
    }
    meter.added(adds);
  }

  @GuardedBy("lock")
  final void addLocked(T item, long readyAt) {
    Life<T> newest = lives.get(item);
    if (newest == null || newest.state == Life.State.PROCESSING) {
      Life<T> life = new Life<>(this, item, newest);
      makeDueLocked(life, readyAt);
      lives.put(item, life);
    } else if (newest.state == Life.State.READY) {
      ready.touch(newest);
    }
  }

  @Override
  @GuardedBy("lock")
  final void pushLocked(Life<T> life) {
    ready.push(life);
  }

  @Override
  @GuardedBy("lock")
  final Life<T> popLocked() {
    return ready.pop();
  }

  @Override
  @GuardedBy("lock")
  final int readyLocked() {
    return ready.size();
  }

  @Override
  @GuardedBy("lock")
  final int sizeLocked() {
    return ready.size();
  }

  @Override
  final void showGauges() {
    super.showGauges();
    meter.gauge(QueueMetric.DEPTH, "", this::depth);
  }

  /** Unlike the size, this counts items that are held back until they are done. */
  private double depth() {
    promoteAll();
    lock.lock();
    try {
      return ready.size() + held;
    } finally {
      lock.unlock();
    }
  }
}
