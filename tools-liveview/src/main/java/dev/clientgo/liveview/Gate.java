package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets the threads of a stage pass, one by one if it is paused. Safe for use by many threads. */
final class Gate {

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  /** Whether threads pass without a look at the rest; written under the lock. */
  private volatile boolean open = true;

  @GuardedBy("lock")
  private boolean paused;

  @GuardedBy("lock")
  private Duration delay = Duration.ZERO;

  /** How many threads may pass although the gate is paused. */
  @GuardedBy("lock")
  private int steps;

  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private boolean closed;

  Gate(Clock clock) {
    this.clock = clock;
    changed = clock.newCondition(lock);
  }

  /** Waits while this is paused, then as long as each thread is to take. */
  void pass() throws InterruptedException {
    if (open) {
      return;
    }
    Duration pause;
    lock.lockInterruptibly();
    try {
      waiting++;
      try {
        while (paused && steps == 0 && !closed) {
          changed.await();
        }
      } finally {
        waiting--;
      }
      if (paused && steps > 0) {
        steps--;
      }
      pause = closed ? Duration.ZERO : delay;
    } finally {
      lock.unlock();
    }
    if (!pause.isZero()) {
      clock.sleep(pause);
    }
  }

  void pause(boolean pause) {
    lock.lock();
    try {
      paused = pause;
      steps = 0;
      changedLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Lets one thread pass. */
  void step() {
    lock.lock();
    try {
      steps++;
      changedLocked();
    } finally {
      lock.unlock();
    }
  }

  void slow(Duration each) {
    lock.lock();
    try {
      delay = each;
      changedLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Lets all threads pass from now on. */
  void close() {
    lock.lock();
    try {
      closed = true;
      paused = false;
      delay = Duration.ZERO;
      changedLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void changedLocked() {
    open = closed || (!paused && delay.isZero());
    changed.signalAll();
  }

  Map<String, Object> tree() {
    lock.lock();
    try {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("paused", paused);
      tree.put("delay", delay.toMillis());
      tree.put("waiting", waiting);
      return tree;
    } finally {
      lock.unlock();
    }
  }
}
