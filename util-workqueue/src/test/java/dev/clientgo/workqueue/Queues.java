package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Short forms for tests. */
final class Queues {

  private Queues() {}

  /** Takes the item that must be there. */
  static <T> WorkItem<T> take(WorkQueue<T> queue) throws InterruptedException {
    try {
      return queue.get(Duration.ZERO).orElseThrow();
    } catch (TimeoutException e) {
      throw new AssertionError("nothing to take from " + queue, e);
    }
  }

  /** Takes an item and marks it done at once. */
  static <T> T takeAndFinish(WorkQueue<T> queue) throws InterruptedException {
    try (WorkItem<T> work = take(queue)) {
      return work.value();
    }
  }

  /** Takes and finishes what can be had without waiting, in order. */
  static <T> List<T> drain(WorkQueue<T> queue) throws InterruptedException {
    List<T> items = new ArrayList<>();
    try {
      for (Optional<WorkItem<T>> next = queue.get(Duration.ZERO);
          next.isPresent();
          next = queue.get(Duration.ZERO)) {
        try (WorkItem<T> work = next.get()) {
          items.add(work.value());
        }
      }
    } catch (TimeoutException e) {
      return items;
    }
    return items;
  }
}
