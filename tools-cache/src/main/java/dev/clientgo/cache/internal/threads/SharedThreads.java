package dev.clientgo.cache.internal.threads;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads that informers share. A {@link SerialTask} holds a thread only while it has work, so
 * hundreds of quiet informers need a few threads.
 *
 * <p>A task that blocks holds its own thread and does not delay other tasks: if no thread is idle,
 * a new one starts. A thread has the name of its task, and keeps it while it is idle.
 *
 * <p>The threads live as long as an informer uses them. Safe for use by many threads.
 */
public final class SharedThreads {

  /*
   * One lock guards all fields. Under it, tasks and idle threads find one another; no thread is
   * made and no task runs under it. It is taken when a task begins or ends its work, not for each
   * piece of work. It is the last lock that any thread takes: producers may hold locks of their own.
   *
   * An idle thread waits without a timeout, so a simulated clock sees no wait of it. A timer ends
   * threads that were not needed for some time, and is set only while there are many.
   */

  private static final Logger LOG = System.getLogger(SharedThreads.class.getName());

  /** How many idle threads are kept for good; a burst of events needs them again. */
  static final int KEPT = 64;

  /** How long idle threads beyond {@link #KEPT} are kept. */
  static final Duration KEEP_ALIVE = Duration.ofSeconds(1);

  private static final Duration JOIN = Duration.ofSeconds(1);

  /** When to try again to start a thread. */
  static final Duration RETRY = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final ThreadFactory factory;
  private final Timers timers;
  private final CrashLog failedStarts = new CrashLog(LOG);

  /** How many informers and reflectors use the threads. */
  @GuardedBy("lock")
  private int users;

  /** Those that run a task that may get more work, or are idle. */
  @GuardedBy("lock")
  private final Set<Worker> workers = new LinkedHashSet<>();

  /** Those without a task, the one that was needed last at the head. */
  @GuardedBy("lock")
  private final ArrayDeque<Worker> idle = new ArrayDeque<>();

  /** The tasks for which no thread could be started. */
  @GuardedBy("lock")
  private final ArrayDeque<SerialTask> waiting = new ArrayDeque<>();

  /** The lowest number of idle threads since the last look at them. */
  @GuardedBy("lock")
  private int leastIdle;

  @GuardedBy("lock")
  private boolean trimming;

  /** Creates an instance without threads. */
  public SharedThreads(Clock clock, ThreadFactory factory) {
    this.clock = clock;
    this.factory = factory;
    this.timers = new Timers(clock, this);
  }

  /** Returns the timers of all users. */
  public Timers timers() {
    return timers;
  }

  Clock clock() {
    return clock;
  }

  /** Returns a task without work. */
  public SerialTask task(String name, OwnedThread.Body body) {
    return new SerialTask(this, name, body);
  }

  /** Starts a thread that is not shared, for a body that waits outside of this library. */
  public OwnedThread start(String name, OwnedThread.Body body) {
    return OwnedThread.start(factory, name, body);
  }

  /** Keeps idle threads, and the timers running, until {@link #release}. */
  public void retain() {
    lock.lock();
    try {
      users++;
    } finally {
      lock.unlock();
    }
    timers.start();
  }

  /**
   * Undoes one {@link #retain}. The last one ends the timers and the idle threads, and waits for
   * them, for a second at most. Waits even if the current thread is interrupted, because closing an
   * informer interrupts its threads.
   */
  public void release() {
    List<OwnedThread> ending;
    lock.lock();
    try {
      users--;
      if (users > 0) {
        return;
      }
      trimming = false;
      idle.forEach(worker -> worker.assigned.signal());
      ending = workers.stream().flatMap(worker -> worker.thread().stream()).toList();
    } finally {
      lock.unlock();
    }
    timers.stop();
    boolean interrupted = Thread.interrupted();
    OwnedThread.joinAll(clock, ending, JOIN);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how many threads there are, idle or not; those of stopped tasks do not count. */
  int size() {
    lock.lock();
    try {
      return workers.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many threads have no task. */
  int idle() {
    lock.lock();
    try {
      return idle.size();
    } finally {
      lock.unlock();
    }
  }

  // ---- for tasks

  /** Gives a task with work a thread. */
  void assign(SerialTask task) {
    Worker fresh;
    lock.lock();
    try {
      if (task.isStopped()) {
        return;
      }
      Worker worker = takeIdleLocked(task);
      if (worker != null) {
        worker.giveLocked(task);
        return;
      }
      fresh = new Worker(task);
      workers.add(fresh);
    } finally {
      lock.unlock();
    }
    fresh.start(task);
  }

  /** Tries again to start a thread for a task, if it still waits for one. */
  void retry(SerialTask task) {
    boolean waits;
    lock.lock();
    try {
      waits = waiting.remove(task);
    } finally {
      lock.unlock();
    }
    if (waits) {
      assign(task);
    }
  }

  /** Takes the thread that has run the task before, if it is idle, else the last that became so. */
  @GuardedBy("lock")
  private @Nullable Worker takeIdleLocked(SerialTask task) {
    Worker last = task.worker;
    Worker worker = last != null && idle.remove(last) ? last : idle.poll();
    leastIdle = Math.min(leastIdle, idle.size());
    return worker;
  }

  /**
   * Leaves the thread that runs a stopped task to it, so that the thread ends with the task.
   *
   * @return the thread, empty if the task does not run
   */
  Optional<OwnedThread> retire(SerialTask task) {
    lock.lock();
    try {
      waiting.remove(task);
      Worker worker = task.worker;
      if (worker == null || worker.task != task) {
        return Optional.empty();
      }
      workers.remove(worker);
      worker.retired = true;
      return worker.thread();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends idle threads that were not needed since the last call. The timers call this, in a thread
   * that is idle otherwise.
   */
  private Optional<Duration> trim() {
    lock.lock();
    try {
      for (int surplus = 1 + leastIdle - KEPT; surplus > 0 && !idle.isEmpty(); surplus--) {
        Worker worker = idle.removeLast();
        workers.remove(worker);
        worker.retired = true;
        worker.assigned.signal();
      }
      leastIdle = idle.size();
      trimming = 1 + idle.size() > KEPT;
      return trimming ? Optional.of(KEEP_ALIVE) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** A thread, and the task that it runs. The lock guards its fields. */
  final class Worker {

    private final Condition assigned = clock.newCondition(lock);

    /** Null until it is made, which happens without the lock. */
    private volatile @Nullable OwnedThread thread;

    /** Null while the thread is idle. */
    private @Nullable SerialTask task;

    /** Whether the thread ends after its task. */
    private boolean retired;

    private Worker(SerialTask first) {
      task = first;
      first.worker = this;
    }

    private Optional<OwnedThread> thread() {
      return Optional.ofNullable(thread);
    }

    private void start(SerialTask first) {
      try {
        // The thread keeps its body while it is idle, so the body must not hold the task.
        OwnedThread made = OwnedThread.create(factory, first.name(), this::run);
        thread = made;
        made.begin();
        failedStarts.succeeded();
      } catch (Throwable t) {
        // Out of memory for threads, or a factory of the user that fails. A thread that becomes
        // free takes the task over, or a new one after a second.
        notStarted(first);
        failedStarts.failed("Cannot start a thread: task=" + first.name(), t);
        timers.retry(first, RETRY);
      }
    }

    private void notStarted(SerialTask first) {
      lock.lock();
      try {
        workers.remove(this);
        task = null;
        if (!first.isStopped()) {
          waiting.add(first);
        }
      } finally {
        lock.unlock();
      }
    }

    private void giveLocked(SerialTask next) {
      task = next;
      next.worker = this;
      assigned.signal();
    }

    /** No frame of a waiting thread holds a task: that would hold a handler of the user. */
    private void run() {
      do {
        current().run();
      } while (awaitNext());
    }

    private SerialTask current() {
      lock.lock();
      try {
        return requireNonNull(task, "task");
      } finally {
        lock.unlock();
      }
    }

    /** Waits for more work; returns false if the thread is to end. */
    private boolean awaitNext() {
      lock.lock();
      try {
        if (retired) {
          return false;
        }
        if (!requireNonNull(task, "task").rests()) {
          return true;
        }
        // An interrupt was meant for the last task.
        Thread.interrupted();
        task = null;
        if (!waiting.isEmpty()) {
          giveLocked(waiting.remove());
          return true;
        }
        idle.push(this);
        trimLaterLocked();
        awaitTaskLocked();
        return task != null;
      } finally {
        lock.unlock();
      }
    }

    @GuardedBy("lock")
    private void awaitTaskLocked() {
      while (task == null && users > 0 && !retired && !clock.isStopped()) {
        try {
          assigned.await();
        } catch (InterruptedException e) {
          LOG.log(Level.TRACE, "Interrupted without a task", e);
        }
      }
      if (task == null) {
        idle.remove(this);
        workers.remove(this);
      }
    }

    @GuardedBy("lock")
    private void trimLaterLocked() {
      if (trimming || idle.size() <= KEPT) {
        return;
      }
      trimming = true;
      leastIdle = idle.size();
      lock.unlock();
      try {
        timers.after("idle informer threads", KEEP_ALIVE, SharedThreads.this::trim);
      } finally {
        lock.lock();
      }
    }
  }
}
