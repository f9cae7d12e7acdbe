package dev.clientgo.events.internal.writing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of writes and the threads that do them.
 *
 * <p>A thread starts when there is a write and fewer threads than allowed, and ends when the queue
 * is empty, so an idle queue has no thread. {@link #offer} never waits. Safe for use by many
 * threads.
 */
public final class WriteQueue {

  /** How many writes may wait, as in client-go. */
  public static final int CAPACITY = 1000;

  /** How long {@link #close} waits for the threads that it has interrupted. */
  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  /** A piece of work. */
  @FunctionalInterface
  public interface Write {
    /** Does the work. */
    void run() throws InterruptedException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle;
  private final Condition closing;
  private final ThreadFactory threadFactory;
  private final int maxThreads;
  private final Clock clock;
  private final Counters counters;
  private final EventLog log;

  @GuardedBy("lock")
  private final ArrayDeque<Write> waiting = new ArrayDeque<>();

  /** The threads that were started and have not ended. */
  @GuardedBy("lock")
  private final Set<Thread> threads = new HashSet<>();

  /** How many of them will look for another write. */
  @GuardedBy("lock")
  private int working;

  @GuardedBy("lock")
  private boolean isClosing;

  @GuardedBy("lock")
  private boolean isClosed;

  /** Creates a queue that has no thread yet. */
  public WriteQueue(
      int maxThreads, ThreadFactory threadFactory, Clock clock, Counters counters, EventLog log) {
    this.threadFactory = threadFactory;
    this.maxThreads = maxThreads;
    this.clock = clock;
    idle = clock.newCondition(lock);
    closing = clock.newCondition(lock);
    this.counters = counters;
    this.log = log;
  }

  /** Adds a write; returns false if the queue is full or closing. */
  public boolean offer(Write write) {
    lock.lock();
    try {
      if (isClosing || waiting.size() >= CAPACITY) {
        return false;
      }
      addLocked(write);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether {@link #offer} would fail now. */
  public boolean isFull() {
    lock.lock();
    try {
      return isClosing || waiting.size() >= CAPACITY;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a write even if the queue is full or closing; returns false if it is closed. */
  public boolean force(Write write) {
    lock.lock();
    try {
      if (isClosed) {
        return false;
      }
      addLocked(write);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void addLocked(Write write) {
    waiting.add(write);
    if (working < maxThreads) {
      try {
        Thread thread = threadFactory.newThread(this::work);
        thread.start();
        threads.add(thread);
        working++;
      } catch (Throwable e) { // The caller must not suffer; the next one tries again.
        log.warn(EventLog.Topic.FAILED, () -> "cannot start a thread that writes events", e);
      }
    }
  }

  private void work() {
    for (Write write = next(); write != null; write = next()) {
      run(write);
    }
    lock.lock();
    try {
      threads.remove(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the next write; null if there is none, and this thread then ends. */
  private @Nullable Write next() {
    lock.lock();
    try {
      Write write = waiting.poll();
      if (write == null && --working == 0) {
        idle.signalAll();
      }
      return write;
    } finally {
      lock.unlock();
    }
  }

  private void run(Write write) {
    try {
      write.run();
    } catch (InterruptedException e) {
      counters.failed.increment(); // Only close() interrupts, and it has emptied the queue.
    } catch (Throwable e) {
      counters.failed.increment();
      log.warn(EventLog.Topic.FAILED, () -> "cannot write an event", e);
    }
  }

  /** Waits before another attempt, but no longer than until the queue is closing. */
  void pause(Duration duration) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Deadline deadline = clock.deadline(duration);
      while (!isClosing && deadline.await(lock, closing)) {}
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether {@link #beginClose} was called: a failed attempt is then the last one. */
  boolean isClosing() {
    lock.lock();
    try {
      return isClosing;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is no write left; returns false if there still is one after the timeout. */
  public boolean awaitIdle(Duration timeout) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Deadline deadline = clock.deadline(timeout);
      while (working > 0 || !waiting.isEmpty()) {
        if (!deadline.await(lock, idle)) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses offers from now on, and ends all pauses. Does nothing the second time. */
  public void beginClose() {
    lock.lock();
    try {
      isClosing = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Discards the writes that are left, interrupts the threads and waits for their end. An interrupt
   * of the caller only ends that wait.
   */
  public void close() {
    beginClose();
    List<Thread> left;
    lock.lock();
    try {
      isClosed = true;
      counters.failed.add(waiting.size());
      waiting.clear();
      left = new ArrayList<>(threads);
      if (working > 0) {
        left.forEach(Thread::interrupt);
      }
    } finally {
      lock.unlock();
    }
    try {
      clock.join(left, LAST_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
