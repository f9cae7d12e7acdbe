package dev.clientgo.controller.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads of an HTTP server of the JDK: at most {@value #MAX}, each with a deadline, so that
 * clients that handshake, send or read slowly do not keep the others out.
 *
 * <p>The JDK's server reads and writes interruptible channels: the interruption of a thread that
 * waits for its client closes the connection. Its own limits are properties of the whole JVM. While
 * requests wait for memory, or for a thread and few end, a client gets {@link #CROWDED_TIMEOUT}
 * instead of {@link #CLIENT_TIMEOUT}. If many requests end, the clients are many and not slow, and
 * a server whose processor is busy with their handshakes would close them all. Or, for a server of
 * small requests, a request that finds no thread gets that of the client which has kept one waiting
 * for the longest time. The threads are the operating system's, so that reconcilers that compute or
 * are pinned do not delay an answer. Safe for use by many threads.
 */
public final class RequestThreads implements Executor, AutoCloseable {

  private static final Logger LOG = System.getLogger(RequestThreads.class.getName());

  /** As many as a server of Kubernetes has requests in flight that change objects. */
  static final int MAX = 200;

  /** The time of a client for the handshake, the head and the body; and again for the answer. */
  public static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(10);

  /** The time of a client while others wait. */
  static final Duration CROWDED_TIMEOUT = Duration.ofMillis(500);

  /** Requests wait because of slow clients if fewer than {@value #FLOW} end in this time. */
  private static final Duration FLOW_TIME = Duration.ofSeconds(1);

  private static final int FLOW = 10;

  /** More than a call may take: to be sent, for the work of 30 s, and to be read. */
  static final Duration STUCK_AFTER = Duration.ofMinutes(1);

  private final Clock clock;
  private final boolean closesOldest;

  /** The reading of the clock from which all times count. */
  private final long start;

  private final ThreadPoolExecutor pool;
  private final Thread watchdog;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The oldest first. */
  @GuardedBy("lock")
  private final Map<Thread, Phase> phases = new LinkedHashMap<>();

  /** When a thread was free for the last time. */
  @GuardedBy("lock")
  private long lastFree;

  /** When the watchdog looks again; the greatest value if it has no reason to. */
  @GuardedBy("lock")
  private long nextLook = Long.MAX_VALUE;

  /** When the last {@value #FLOW} requests ended that were not cut off. */
  @GuardedBy("lock")
  private final long[] ends = new long[FLOW];

  @GuardedBy("lock")
  private int oldestEnd;

  /** When the first of the requests came that wait for a thread. */
  @GuardedBy("lock")
  private long queuedSince;

  /** How many threads wait for memory. */
  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private long closed;

  /** What a thread does since a time, in nanoseconds, and how long it may. */
  private static final class Phase {
    final long start;
    final Duration limit;
    final boolean forClient;
    boolean interrupted;

    Phase(long start, Duration limit, boolean forClient) {
      this.start = start;
      this.limit = limit;
      this.forClient = forClient;
    }
  }

  /** Creates an instance without threads; {@code closesOldest} if small requests come. */
  public RequestThreads(String prefix, Clock clock, boolean closesOldest) {
    this.clock = clock;
    this.closesOldest = closesOldest;
    this.start = clock.nanoTime();
    pool =
        new ThreadPoolExecutor(
            MAX,
            MAX,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            DaemonThreads.platform(prefix));
    pool.allowCoreThreadTimeOut(true);
    watchdog = DaemonThreads.platform(prefix + "deadlines-").newThread(this::watch);
  }

  /** Starts the thread that watches the others. */
  public void start() {
    watchdog.start();
  }

  private long now() {
    return clock.nanoTime() - start;
  }

  /** Serves one request of a connection. */
  @Override
  public void execute(Runnable exchange) {
    pool.execute(
        () -> {
          awaitClient();
          try {
            exchange.run();
          } finally {
            enter(null);
          }
        });
    int queued = pool.getQueue().size();
    if (queued > 0) {
      look(0, queued);
    }
  }

  /** Returns whether all threads have been busy for longer than a call may take. */
  public boolean isStuck() {
    lock.lock();
    try {
      return phases.size() == MAX && now() - lastFree >= STUCK_AFTER.toNanos();
    } finally {
      lock.unlock();
    }
  }

  /** From now on, this thread waits for its client, for {@link #CLIENT_TIMEOUT} at most. */
  public void awaitClient() {
    enter(new Phase(now(), CLIENT_TIMEOUT, /* forClient= */ true));
  }

  /** From now on, this thread works, and is interrupted if that takes longer. */
  public void work(Duration limit) {
    enter(new Phase(now(), limit, /* forClient= */ false));
  }

  /** Counts threads that wait until others have ended; until then, clients have less time. */
  public void waitForOthers(int more) {
    look(more, 0);
  }

  private void look(int moreWaiting, int queued) {
    lock.lock();
    try {
      waiting += moreWaiting;
      queuedSince = queued == 1 ? now() : queuedSince;
      if (queued > 0 && closesOldest) {
        closeOldest();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void closeOldest() {
    for (Map.Entry<Thread, Phase> each : phases.entrySet()) {
      if (each.getValue().forClient && !each.getValue().interrupted) {
        interrupt(each.getKey(), each.getValue());
        return;
      }
    }
  }

  private void enter(@Nullable Phase next) {
    lock.lock();
    try {
      lastFree = phases.size() < MAX ? now() : lastFree;
      Phase last = phases.remove(Thread.currentThread());
      if (next != null) {
        phases.put(Thread.currentThread(), next);
      }
      if (next == null && (last == null || !last.interrupted)) {
        ends[oldestEnd] = now();
        oldestEnd = (oldestEnd + 1) % FLOW;
      }
      // Ours, or one that a user's code has left behind: of no concern to what follows.
      Thread.interrupted();
      if (next != null && deadline(next) < nextLook) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private long deadline(Phase phase) {
    long deadline = phase.start + phase.limit.toNanos();
    boolean queued = !pool.getQueue().isEmpty();
    if (!phase.forClient || (waiting == 0 && !queued)) {
      return deadline;
    }
    long crowded = phase.start + CROWDED_TIMEOUT.toNanos();
    long noFlow = Math.max(queuedSince, ends[oldestEnd]) + FLOW_TIME.toNanos();
    return Math.min(deadline, waiting > 0 ? crowded : Math.max(crowded, noFlow));
  }

  private void watch() {
    while (true) {
      try {
        long count = awaitLate();
        LOG.log(
            Level.WARNING,
            "Clients were too slow, and their connections are closed: connections={0}",
            count);
      } catch (InterruptedException e) {
        return; // The server is being closed.
      } catch (Throwable e) {
        // Of the user's logger: without this thread, slow clients would keep the others out.
      }
    }
  }

  /** Closes connections until their number is worth a line: twice that of the last one. */
  private long awaitLate() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long before = Long.highestOneBit(closed);
      while (true) {
        long now = now();
        nextLook = Long.MAX_VALUE;
        for (Map.Entry<Thread, Phase> each : phases.entrySet()) {
          lookAt(each.getKey(), each.getValue(), now);
        }
        if (Long.highestOneBit(closed) > before) {
          return closed;
        } else if (nextLook == Long.MAX_VALUE) {
          changed.await();
        } else {
          clock.await(lock, changed, Duration.ofNanos(nextLook - now));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void lookAt(Thread thread, Phase phase, long now) {
    long deadline = deadline(phase);
    if (phase.interrupted) {
      return;
    } else if (deadline > now) {
      nextLook = Math.min(nextLook, deadline);
      return;
    }
    interrupt(thread, phase);
  }

  @GuardedBy("lock")
  private void interrupt(Thread thread, Phase phase) {
    phase.interrupted = true;
    thread.interrupt();
    closed += phase.forClient ? 1 : 0;
  }

  /** Ends the threads when they have no requests, and the one that watches them at once. */
  @Override
  public void close() {
    pool.shutdown();
    watchdog.interrupt();
  }
}
