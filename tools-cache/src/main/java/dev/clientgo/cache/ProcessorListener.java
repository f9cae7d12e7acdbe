package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.internal.threads.SerialTask;
import dev.clientgo.cache.internal.threads.SharedThreads;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.cache.synctrack.DoneChecker;
import dev.clientgo.cache.synctrack.SingleFileTracker;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One handler, its buffer of notifications, and the task that calls the handler.
 *
 * <p>The buffer has no bound, so a slow handler delays neither the informer nor the other handlers.
 * The metrics and the informer's health show its length. The task holds a thread only while there
 * are notifications. It takes over the whole buffer at once and delivers its notifications one by
 * one.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code processorListener}.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T> implements ResourceEventHandlerRegistration {

  private static final Logger LOG = System.getLogger(ProcessorListener.class.getName());

  /** A buffer that held more notifications than this is replaced, because it does not shrink. */
  private static final int LARGE = 1024;

  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration PAUSE_AFTER_CRASH = Duration.ofSeconds(1);
  private static final Duration HANGS = Duration.ofMinutes(5);

  /** The task is in no call. */
  private static final long NO_CALL = Long.MIN_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended;
  private final String name;
  private final ResourceEventHandler<T> handler;
  private final Clock clock;
  private final InformerMetrics metrics;
  private final @Nullable InformerObserver<T> observer;
  private final SingleFileTracker synced;

  /** The notifications that the task has not taken over yet. */
  @GuardedBy("lock")
  private ArrayDeque<Notification<T>> pending = new ArrayDeque<>();

  @GuardedBy("lock")
  private @Nullable SerialTask task;

  /** Written under the lock, read without before each call of the handler. */
  private volatile boolean closed;

  /** When the call began that the task is in. */
  private volatile long callStart = NO_CALL;

  private final AtomicInteger backlog = new AtomicInteger();
  private final CrashLog crashes = new CrashLog(LOG);

  /** Only for the task: the notifications that it took over and has not delivered yet. */
  private ArrayDeque<Notification<T>> taken = new ArrayDeque<>();

  /** Only for the task: how many notifications it took over the last time. */
  private int lastTaken;

  /** Only for the task. */
  private boolean pauseBeforeNext;

  ProcessorListener(
      String name,
      ResourceEventHandler<T> handler,
      Clock clock,
      InformerMetrics metrics,
      @Nullable InformerObserver<T> observer) {
    this.name = name;
    this.handler = handler;
    this.clock = clock;
    ended = clock.newCondition(lock);
    this.metrics = metrics;
    this.observer = observer;
    this.synced = SingleFileTracker.create(name, clock);
  }

  String name() {
    return name;
  }

  void start(SharedThreads threads) {
    SerialTask started = threads.task(name, this::deliverAll);
    lock.lock();
    try {
      if (closed || task != null) {
        return;
      }
      task = started;
    } finally {
      lock.unlock();
    }
    started.wake();
  }

  /** Appends notifications. Never waits for the handler. */
  void add(List<Notification<T>> notifications) {
    if (notifications.isEmpty()) {
      return;
    }
    int length;
    SerialTask started;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      started = task;
      for (Notification<T> notification : notifications) {
        if (notification.isInInitialList()) {
          synced.start();
        }
        pending.add(notification);
        if (observer != null) {
          observer.notified(name, notification.before(), notification.after());
        }
      }
      length = backlog.addAndGet(notifications.size());
    } finally {
      lock.unlock();
    }
    metrics.handlerBacklog(name, length);
    if (started != null) {
      started.wake();
    }
  }

  /** Records that the informer is synced: no more objects of the initial list will come. */
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
    long start = callStart;
    long nanos = start == NO_CALL ? 0 : clock.nanoTime() - start;
    Duration call = Duration.ofNanos(nanos).truncatedTo(ChronoUnit.SECONDS);
    Optional<String> problem =
        call.compareTo(HANGS) > 0
            ? Optional.of("has a handler that has been in one call for " + call + ": " + name)
            : crashes.problem();
    return new InformerHealth.Handler(
        name, backlog.get(), crashes.failures(), synced.isDone(), problem);
  }

  // ---- the task

  private void deliverAll() {
    boolean more = true;
    while (more && !closed && !clock.isStopped()) {
      try {
        more = deliverNext();
      } catch (InterruptedException e) {
        // Either this is closed, or a handler set the interrupt flag, which must not stop the
        // notifications.
        LOG.log(Level.TRACE, () -> "Interrupted: handler=" + name, e);
      }
    }
    if (closed) {
      taken.clear();
    }
  }

  /**
   * Delivers a notification; returns false if there is none. A simulation calls this without a
   * thread.
   */
  boolean deliverNext() throws InterruptedException {
    pauseIfCrashed();
    if (taken.isEmpty()) {
      takeOver();
    }
    if (taken.isEmpty()) {
      return false;
    }
    if (!closed && observer != null) {
      Notification<T> next = taken.element();
      observer.delivering(name, next.before(), next.after());
    }
    if (!closed) {
      backlog.decrementAndGet();
      deliver(taken.remove());
    }
    return true;
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
        clock.await(lock, ended, left);
        left = PAUSE_AFTER_CRASH.minusNanos(clock.nanoTime() - start);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes over all notifications that wait. */
  private void takeOver() throws InterruptedException {
    // An ArrayDeque grows, but does not shrink.
    ArrayDeque<Notification<T>> empty = lastTaken > LARGE ? new ArrayDeque<>() : taken;
    lock.lockInterruptibly();
    try {
      taken = pending;
      pending = empty;
    } finally {
      lock.unlock();
    }
    lastTaken = taken.size();
  }

  private void deliver(Notification<T> notification) {
    long start = clock.nanoTime();
    callStart = start;
    try {
      notification.deliver(handler);
    } catch (Throwable t) {
      // Also an Error: if this thread ended, the handler would silently hear no more.
      crashed(notification, t);
      return;
    } finally {
      callStart = NO_CALL;
    }
    crashes.succeeded();
    delivered(notification, Duration.ofNanos(clock.nanoTime() - start));
  }

  private void crashed(Notification<T> notification, Throwable error) {
    pauseBeforeNext = true;
    // As in client-go with a recovered panic: hasSynced() stays false, because a caller that waits
    // for it relies on the handler having seen all objects.
    String unsynced = notification.isInInitialList() ? " and never counts as synced" : "";
    crashes.failed(
        "A handler failed, it misses a notification%s: handler=%s".formatted(unsynced, name),
        error);
    metrics.handlerFailed(name, error);
    if (observer != null) {
      observer.delivered(name, error);
    }
  }

  private void delivered(Notification<T> notification, Duration duration) {
    if (notification.isInInitialList()) {
      synced.finished();
    }
    int waiting = backlog.get();
    metrics.handlerBacklog(name, waiting);
    if (observer != null) {
      observer.delivered(name, null);
    }
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

  /**
   * Drops all notifications, and calls the handler no more. May be called again.
   *
   * @return the thread that is still in a call of the handler, if there is one
   */
  Optional<OwnedThread> close() {
    SerialTask started;
    lock.lock();
    try {
      closed = true;
      pending.clear();
      started = task;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    synced.abandon();
    return started == null ? Optional.empty() : started.stop();
  }

  /**
   * One call of a handler: an object was added, updated or deleted.
   *
   * @param <T> the type of the objects
   */
  sealed interface Notification<T> {

    /** Calls the handler. */
    void deliver(ResourceEventHandler<T> handler);

    /** Returns the state before, null if the object was added. */
    @Nullable T before();

    /** Returns the state after, null if the object was deleted. */
    @Nullable T after();

    /** Returns whether the handler is synced only after this call. */
    default boolean isInInitialList() {
      return false;
    }

    /** An object was added. */
    record Added<T>(T object, boolean isInInitialList) implements Notification<T> {
      @Override
      public @Nullable T before() {
        return null;
      }

      @Override
      public @Nullable T after() {
        return object;
      }

      @Override
      public void deliver(ResourceEventHandler<T> handler) {
        handler.onAdd(object, isInInitialList);
      }
    }

    /** An object was changed. */
    record Updated<T>(T oldObject, T newObject) implements Notification<T> {
      @Override
      public @Nullable T before() {
        return oldObject;
      }

      @Override
      public @Nullable T after() {
        return newObject;
      }

      @Override
      public void deliver(ResourceEventHandler<T> handler) {
        handler.onUpdate(oldObject, newObject);
      }
    }

    /** An object was deleted. */
    record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {
      @Override
      public @Nullable T before() {
        return deleted.lastKnown();
      }

      @Override
      public @Nullable T after() {
        return null;
      }

      @Override
      public void deliver(ResourceEventHandler<T> handler) {
        handler.onDelete(deleted);
      }
    }
  }
}
