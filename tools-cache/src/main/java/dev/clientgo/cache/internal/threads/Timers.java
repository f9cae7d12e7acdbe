package dev.clientgo.cache.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions at set times, in one thread of its own. A Reflector uses it because its own thread
 * waits without a timeout for the next event of a watch.
 *
 * <p>The thread starts with the first timer. Actions must be quick and must not throw. Safe for use
 * by many threads.
 */
public final class Timers {

  private static final Duration JOIN = Duration.ofSeconds(1);

  /** An action that is to run at some time. */
  public final class Timer {

    private final Supplier<Optional<Duration>> action;
    private long due;
    private boolean cancelled;

    private Timer(long due, Supplier<Optional<Duration>> action) {
      this.due = due;
      this.action = action;
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
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Clock clock;
  private final ThreadFactory threadFactory;
  private final String name;

  /** Not in order of time, because there are only a few. */
  @GuardedBy("lock")
  private final List<Timer> pending = new ArrayList<>();

  @GuardedBy("lock")
  private @Nullable OwnedThread thread;

  @GuardedBy("lock")
  private boolean stopped;

  /** Creates an instance without timers. */
  public Timers(Clock clock, ThreadFactory threadFactory, String name) {
    this.clock = clock;
    changed = clock.newCondition(lock);
    this.threadFactory = threadFactory;
    this.name = name;
  }

  /**
   * Runs an action after some time.
   *
   * @param action returns after which time it runs again, empty if it does not run again
   */
  public Timer after(Duration delay, Supplier<Optional<Duration>> action) {
    Timer timer = new Timer(clock.nanoTime() + delay.toNanos(), action);
    lock.lock();
    try {
      addLocked(timer);
    } finally {
      lock.unlock();
    }
    return timer;
  }

  @GuardedBy("lock")
  private void addLocked(Timer timer) {
    if (stopped || timer.cancelled) {
      return;
    }
    pending.add(timer);
    changed.signal();
    if (thread == null) {
      thread = OwnedThread.start(threadFactory, name, this::run);
    }
  }

  private void run() throws InterruptedException {
    while (true) {
      awaitDue();
      runDue();
    }
  }

  private void awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Optional<Timer> next = nextLocked();
        if (next.isEmpty()) {
          changed.await();
        } else {
          long left = next.get().due - clock.nanoTime();
          if (left <= 0) {
            return;
          }
          clock.await(lock, changed, Duration.ofNanos(left));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs every action that is due. A simulation calls this without the thread. */
  public void runDue() {
    for (Optional<Timer> due = takeDue(); due.isPresent(); due = takeDue()) {
      runOnce(due.get());
    }
  }

  private Optional<Timer> takeDue() {
    lock.lock();
    try {
      Optional<Timer> next = nextLocked();
      if (next.isEmpty() || next.get().due - clock.nanoTime() > 0) {
        return Optional.empty();
      }
      pending.remove(next.get());
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void runOnce(Timer timer) {
    Optional<Duration> again = timer.action.get();
    lock.lock();
    try {
      if (again.isPresent()) {
        timer.due = clock.nanoTime() + again.get().toNanos();
        addLocked(timer);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Accepts timers again after {@link #stop}. */
  public void start() {
    lock.lock();
    try {
      stopped = false;
      thread = null;
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

  @GuardedBy("lock")
  private Optional<Timer> nextLocked() {
    Timer next = null;
    for (Timer timer : pending) {
      if (next == null || timer.due - next.due < 0) {
        next = timer;
      }
    }
    return Optional.ofNullable(next);
  }

  /**
   * Cancels all timers, ends the thread, and waits for it, for a second at most. Waits even if the
   * current thread is interrupted, because closing an informer interrupts both threads. Ignores new
   * timers until {@link #start}.
   */
  public void stop() {
    OwnedThread running;
    lock.lock();
    try {
      stopped = true;
      pending.clear();
      running = thread;
    } finally {
      lock.unlock();
    }
    if (running != null) {
      running.interrupt();
      joinDespiteInterruption(running);
    }
  }

  private void joinDespiteInterruption(OwnedThread thread) {
    boolean interrupted = Thread.interrupted();
    try {
      thread.join(clock, JOIN);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
