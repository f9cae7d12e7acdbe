package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** The latest requests. Safe for use by many threads. */
public final class RequestLog {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int limit;

  @GuardedBy("lock")
  private final Deque<ApiRequest> requests = new ArrayDeque<>();

  public RequestLog(int limit) {
    this.limit = limit;
  }

  public void add(ApiRequest request) {
    lock.lock();
    try {
      requests.add(request);
      if (requests.size() > limit) {
        requests.remove();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void clear() {
    lock.lock();
    try {
      requests.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the requests, the oldest first. */
  public List<ApiRequest> all() {
    lock.lock();
    try {
      return List.copyOf(requests);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until at least that many requests fit, and returns those that do.
   *
   * @throws IllegalStateException if that does not happen in time
   */
  public List<ApiRequest> await(int count, Predicate<ApiRequest> fits, Duration atMost)
      throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(atMost);
    while (true) {
      List<ApiRequest> seen = all();
      List<ApiRequest> found = seen.stream().filter(fits).toList();
      if (found.size() >= count) {
        return found;
      }
      if (left <= 0) {
        throw new IllegalStateException(
            "waited " + atMost + " for " + count + " requests, there are " + found);
      }
      left = awaitMore(seen, left);
    }
  }

  private long awaitMore(List<ApiRequest> seen, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && requests.size() == seen.size() && isLast(seen)) {
        left = changed.awaitNanos(left);
      }
      return left;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isLast(List<ApiRequest> seen) {
    return seen.isEmpty() || requests.peekLast() == seen.get(seen.size() - 1);
  }
}
