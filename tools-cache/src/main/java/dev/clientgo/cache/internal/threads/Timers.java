package dev.clientgo.cache.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions at set times. A Reflector uses it because its own thread waits without a timeout for
 * the next event of a watch.
 *
 * <p>One thread waits for the next action of all informers that share their threads. The action
 * itself runs in another of the {@link SharedThreads}, so an action that has to wait for a lock
 * does not delay the others. The thread starts with the first timer. Safe for use by many threads.
 */
public final class Timers {

  private static final Logger LOG = System.getLogger(Timers.class.getName());

  /** By time, and in the order in which they were set. */
  private static final Comparator<Timer> ORDER =
      (a, b) -> a.due != b.due ? Long.signum(a.due - b.due) : Long.compare(a.number, b.number);

  /** An action that is to run at some time. */
  public final class Timer {

    private final SerialTask task;
    private final Supplier<Optional<Duration>> action;

    /** Changes only while the timer is not pending, which orders by it. */
    private long due;

    private long number;
    private boolean cancelled;

    private Timer(String name, Supplier<Optional<Duration>> action) {
      this.task = threads.task(name, this::run);
      this.action = action;
    }

    private Timer(SerialTask task) {
      this.task = task;
      this.action = Optional::empty;
    }

    /** Cancels the action. If it is running, it is not interrupted, but does not run again. */
    public void cancel() {
      lock.lock();
      try {
        cancelled = true;
        pending.remove(this);
      } finally {
        lock.unlock();
      }
    }

    private void run() {
      lock.lock();
      try {
        if (cancelled) {
          return;
        }
      } finally {
        lock.unlock();
      }
      action.get().ifPresent(delay -> add(this, delay));
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Clock clock;
  private final SharedThreads threads;
  private final SerialTask waiting;

  @GuardedBy("lock")
  private final TreeSet<Timer> pending = new TreeSet<>(ORDER);

  /** How many timers were set. */
  @GuardedBy("lock")
  private long set;

  @GuardedBy("lock")
  private boolean stopped;

  /** Creates an instance without timers. */
  Timers(Clock clock, SharedThreads threads) {
    this.clock = clock;
    this.threads = threads;
    changed = clock.newCondition(lock);
    waiting = threads.task("informer timers", this::fireUntilStopped);
  }

  /**
   * Runs an action after some time.
   *
   * @param name the name of the thread while it runs the action
   * @param action returns after which time it runs again, empty if it does not run again; must not
   *     throw
   */
  public Timer after(String name, Duration delay, Supplier<Optional<Duration>> action) {
    Timer timer = new Timer(name, action);
    add(timer, delay);
    return timer;
  }

  /** Tries after some time to start a thread for a task, if it still waits for one then. */
  void retry(SerialTask task, Duration delay) {
    if (task != waiting) { // Each new timer tries again for that one.
      add(new Timer(task), delay);
    }
  }

  private void add(Timer timer, Duration delay) {
    long due = clock.nanoTime() + delay.toNanos();
    lock.lock();
    try {
      if (stopped || timer.cancelled) {
        return;
      }
      timer.due = due;
      timer.number = set++;
      pending.add(timer);
      if (pending.first() == timer) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
    threads.retry(waiting);
    waiting.wake();
  }

  private void fireUntilStopped() {
    for (Timer due = awaitDue(); due != null; due = awaitDue()) {
      due.task.wake();
      threads.retry(due.task);
    }
  }

  /** Waits until a timer is due and takes it out; returns null if this is stopped. */
  private @Nullable Timer awaitDue() {
    lock.lock();
    try {
      while (!stopped && !clock.isStopped()) {
        Timer due = takeDueLocked();
        if (due != null) {
          return due;
        }
        awaitChangeLocked();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  @SuppressWarnings("WaitNotInLoop") // The caller loops.
  private void awaitChangeLocked() {
    try {
      if (pending.isEmpty()) {
        changed.await();
      } else {
        clock.await(lock, changed, Duration.ofNanos(pending.first().due - clock.nanoTime()));
      }
    } catch (InterruptedException e) {
      LOG.log(Level.TRACE, "Interrupted: timers", e);
    }
  }

  @GuardedBy("lock")
  private @Nullable Timer takeDueLocked() {
    if (pending.isEmpty() || pending.first().due - clock.nanoTime() > 0) {
      return null;
    }
    return pending.pollFirst();
  }

  /**
   * Runs every action that is due, in the current thread. For a test whose only thread is the
   * current one.
   */
  public void runDue() {
    for (Timer due = takeDue(); due != null; due = takeDue()) {
      due.run();
    }
  }

  private @Nullable Timer takeDue() {
    lock.lock();
    try {
      return takeDueLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Accepts timers again after {@link #stop}. */
  void start() {
    lock.lock();
    try {
      stopped = false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many timers are set. */
  public int size() {
    lock.lock();
    try {
      return pending.size();
    } finally {
      lock.unlock();
    }
  }

  /** Cancels all timers and ends the thread. Ignores new timers until {@link #start}. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      pending.clear();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
