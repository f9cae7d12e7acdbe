package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A list that a test can wait on, such as the requests that the server has received. It keeps the
 * latest elements, up to a limit. Safe for use by many threads.
 */
public final class AwaitableList<T> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final int limit;

  @GuardedBy("lock")
  private final Deque<T> elements = new ArrayDeque<>();

  @GuardedBy("lock")
  private long changes;

  /**
   * Creates an empty list.
   *
   * @param limit the number of elements that it keeps
   * @param clock makes the condition on which tests wait
   */
  public AwaitableList(int limit, Clock clock) {
    this.limit = limit;
    this.changed = clock.newCondition(lock);
  }

  /** Adds an element at the end. */
  public void add(T element) {
    lock.lock();
    try {
      elements.add(element);
      if (elements.size() > limit) {
        elements.remove();
      }
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Removes an element, if it is there. */
  public void remove(T element) {
    lock.lock();
    try {
      elements.remove(element);
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Removes all elements. */
  public void clear() {
    lock.lock();
    try {
      elements.clear();
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the elements, the oldest first. */
  public List<T> all() {
    lock.lock();
    try {
      return List.copyOf(elements);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until a part of the elements is complete, and returns that part.
   *
   * @param part selects the part from all elements; called without a lock
   * @param complete whether the part is complete
   * @param description names the part in the error
   * @throws IllegalStateException if the time has passed
   */
  public List<T> await(
      UnaryOperator<List<T>> part, Predicate<List<T>> complete, String description, Duration atMost)
      throws InterruptedException {
    Deadline deadline = Clock.system().deadline(atMost);
    while (true) {
      long seen = changes();
      List<T> found = part.apply(all());
      if (complete.test(found)) {
        return found;
      }
      if (!awaitChange(seen, deadline)) {
        throw new IllegalStateException(
            "waited " + atMost + " for " + description + ", found " + found);
      }
    }
  }

  private long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitChange(long seen, Deadline deadline) throws InterruptedException {
    lock.lock();
    try {
      while (changes == seen && deadline.await(lock, changed)) {}
      return changes != seen;
    } finally {
      lock.unlock();
    }
  }
}
