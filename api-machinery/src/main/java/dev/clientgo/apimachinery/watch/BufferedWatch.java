package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A watch whose events the program puts in: for tests, and for sources other than an API server.
 *
 * <p>Any thread may put events in. After {@link #end} the watch still delivers its events; {@link
 * #close} drops them. Safe for use by many threads. Corresponds to apimachinery's {@code
 * watch.FakeWatcher} and {@code watch.RaceFreeFakeWatcher}.
 *
 * @param <T> the type of the objects watched
 */
public final class BufferedWatch<T> implements Watch<T> {

  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  @GuardedBy("lock")
  private final Deque<WatchEvent<T>> events = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private boolean closed;

  private BufferedWatch(int capacity, Clock clock) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
    }
    this.capacity = capacity;
    this.changed = clock.newCondition(lock);
  }

  /** Returns a watch that holds any number of events. */
  public static <T> BufferedWatch<T> unbounded() {
    return bounded(Integer.MAX_VALUE);
  }

  /** Returns a watch that holds at most this number of events. */
  public static <T> BufferedWatch<T> bounded(int capacity) {
    return bounded(capacity, Clock.system());
  }

  /**
   * Returns a watch that holds at most this number of events.
   *
   * @param clock makes the condition on which threads wait, for simulations
   */
  public static <T> BufferedWatch<T> bounded(int capacity, Clock clock) {
    return new BufferedWatch<>(capacity, clock);
  }

  /** Returns a watch that has ended. Corresponds to {@code watch.NewEmptyWatch}. */
  public static <T> BufferedWatch<T> empty() {
    BufferedWatch<T> watch = unbounded();
    watch.end();
    return watch;
  }

  /**
   * Puts an event in, and waits for room if there is none.
   *
   * @return false if the watch has ended or is closed, so the event was not put in
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean put(WatchEvent<T> event) throws InterruptedException {
    requireNonNull(event, "event");
    lock.lockInterruptibly();
    try {
      while (!ended && !closed && events.size() >= capacity) {
        changed.await();
      }
      return addLocked(event);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts an event in if there is room.
   *
   * @return whether the event was put in
   */
  public boolean offer(WatchEvent<T> event) {
    requireNonNull(event, "event");
    lock.lock();
    try {
      return events.size() < capacity && addLocked(event);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean addLocked(WatchEvent<T> event) {
    if (ended || closed) {
      return false;
    }
    events.add(event);
    changed.signalAll();
    return true;
  }

  /** Ends the watch as a server does: it still delivers its events. */
  public void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the watch was closed. */
  public boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<WatchEvent<T>> next() throws InterruptedException {
    try {
      lock.lockInterruptibly();
      try {
        while (events.isEmpty() && !ended && !closed) {
          changed.await();
        }
        Optional<WatchEvent<T>> event = Optional.ofNullable(events.poll());
        changed.signalAll();
        return event;
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      events.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
