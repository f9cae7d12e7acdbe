package dev.clientgo.workqueue;

import java.util.concurrent.ConcurrentHashMap;

/** How often each item has failed. Holds only items that have failed and are not forgotten. */
final class FailureCounts<T> {

  private final ConcurrentHashMap<T, Integer> failures = new ConcurrentHashMap<>();

  /** Counts a failure and returns how many there are now, including it. */
  int increment(T item) {
    return failures.merge(item, 1, (count, one) -> oneMore(count));
  }

  /** Stops at the largest int. */
  static int oneMore(int count) {
    return count == Integer.MAX_VALUE ? count : count + 1;
  }

  int of(T item) {
    return failures.getOrDefault(item, 0);
  }

  void forget(T item) {
    failures.remove(item);
  }

  /** Returns how many items are held. */
  int size() {
    return failures.size();
  }
}
