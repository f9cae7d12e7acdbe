package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One handler, what it has not been told yet, and the thread that tells it.
 *
 * <p>What is waiting has no bound: a slow handler holds up neither the informer nor the other
 * handlers. The bound is memory, so the length is in the metrics and in the informer's health. The
 * thread takes over all that is waiting at once, and tells it one by one.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code processorListener}.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T> implements ResourceEventHandlerRegistration {

  private static final Logger LOG = System.getLogger(ProcessorListener.class.getName());

  /** From how many waiting notifications on memory is given back once they are delivered. */
  private static final int LARGE = 1024;

  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration PAUSE_AFTER_CRASH = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final String name;
  private final ResourceEventHandler<T> handler;
  private final Clock clock;
  private final InformerMetrics metrics;
  private final SingleFileTracker synced;

  /** What the thread has not taken over yet. */
  @GuardedBy("lock")
  private ArrayDeque<Notification<T>> pending = new ArrayDeque<>();

  @GuardedBy("lock")
  private @Nullable OwnedThread thread;

  /** Written under the lock, read without before each call of the handler. */
  private volatile boolean closed;

  private final AtomicInteger backlog = new AtomicInteger();
  private final AtomicLong failures = new AtomicLong();

  /** The thread's own: what it has taken over and not told yet. */
  private ArrayDeque<Notification<T>> taken = new ArrayDeque<>();

  /** The thread's own: how much it took over the last time. */
  private int lastTaken;

  /** The thread's own. */
  private boolean pauseBeforeNext;

  ProcessorListener(
      String name, ResourceEventHandler<T> handler, Clock clock, InformerMetrics metrics) {
    this.name = name;
    this.handler = handler;
    this.clock = clock;
    this.metrics = metrics;
    this.synced = new SingleFileTracker(name, clock);
  }

  String name() {
    return name;
  }

  void start(ThreadFactory factory) {
    lock.lock();
    try {
      if (!closed && thread == null) {
        thread = OwnedThread.start(factory, name, this::run);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Appends notifications. Never waits for the handler. */
  void add(List<Notification<T>> notifications) {
    if (notifications.isEmpty()) {
      return;
    }
    int length;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      for (Notification<T> notification : notifications) {
        if (notification.isInInitialList()) {
          synced.start();
        }
        pending.add(notification);
      }
      length = backlog.addAndGet(notifications.size());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    metrics.handlerBacklog(name, length);
  }

  /** Takes note that the informer is synced: no more objects of the initial list will come. */
  void sourceHasSynced() {
    synced.sourceHasSynced();
  }

  @Override
  public boolean hasSynced() {
    return synced.isDone();
  }

  @Override
  public DoneChecker hasSyncedChecker() {
    return synced;
  }

  InformerHealth.Handler health() {
    return new InformerHealth.Handler(name, backlog.get(), failures.get(), synced.isDone());
  }

  // ---- the thread

  private void run() {
    while (!closed) {
      try {
        deliverNext();
      } catch (InterruptedException e) {
        // Either this is closed, or a handler has left its thread interrupted: no reason to end.
        LOG.log(Level.TRACE, () -> "Interrupted: handler=" + name, e);
      }
    }
    taken.clear();
  }

  /** Waits for a notification and tells the handler; a simulation does without the thread. */
  void deliverNext() throws InterruptedException {
    pauseIfCrashed();
    if (taken.isEmpty()) {
      takeOver();
    }
    if (!closed) {
      backlog.decrementAndGet();
      deliver(taken.remove());
    }
  }

  private void pauseIfCrashed() throws InterruptedException {
    if (!pauseBeforeNext) {
      return;
    }
    pauseBeforeNext = false;
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      Duration left = PAUSE_AFTER_CRASH;
      while (!closed && left.compareTo(Duration.ZERO) > 0) {
        clock.await(lock, changed, left);
        left = PAUSE_AFTER_CRASH.minusNanos(clock.nanoTime() - start);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is something and takes over all of it; takes nothing if this is closed. */
  private void takeOver() throws InterruptedException {
    // An ArrayDeque grows, but does not shrink.
    ArrayDeque<Notification<T>> empty = lastTaken > LARGE ? new ArrayDeque<>() : taken;
    lock.lockInterruptibly();
    try {
      while (pending.isEmpty() && !closed) {
        changed.await();
      }
      taken = pending;
      pending = empty;
    } finally {
      lock.unlock();
    }
    lastTaken = taken.size();
  }

  private void deliver(Notification<T> notification) {
    long start = clock.nanoTime();
    try {
      notification.deliver(handler);
    } catch (Throwable t) {
      // Whatever it is: if this thread ended, nobody would notice that the handler hears no more.
      crashed(t);
      return;
    }
    delivered(notification, Duration.ofNanos(clock.nanoTime() - start));
  }

  private void crashed(Throwable error) {
    pauseBeforeNext = true;
    failures.incrementAndGet();
    metrics.handlerFailed(name, error);
    LOG.log(
        Level.ERROR, () -> "A handler failed, it misses a notification: handler=" + name, error);
  }

  private void delivered(Notification<T> notification, Duration duration) {
    if (notification.isInInitialList()) {
      synced.finished();
    }
    int waiting = backlog.get();
    metrics.handlerBacklog(name, waiting);
    if (waiting > LARGE && duration.compareTo(SLOW) > 0) {
      LOG.log(
          Level.INFO,
          "A handler is slow and has many notifications waiting: handler={0} backlog={1}"
              + " duration={2}",
          name,
          waiting,
          duration);
    }
  }

  // ---- the end

  /** Drops what is waiting and lets the thread end after the call that it is in, if any. */
  void close() {
    lock.lock();
    try {
      closed = true;
      pending.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    synced.abandon();
  }

  /** Returns the thread, if there is one. */
  Optional<OwnedThread> thread() {
    lock.lock();
    try {
      return Optional.ofNullable(thread);
    } finally {
      lock.unlock();
    }
  }
}
