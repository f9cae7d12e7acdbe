package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what must hold inside a queue whenever no thread holds its lock. */
final class Consistency {

  private Consistency() {}

  static void check(WorkQueue<?> queue) {
    checkLocked((AbstractWorkQueue<?>) queue);
  }

  private static <T> void checkLocked(AbstractWorkQueue<T> queue) {
    queue.lock.lock();
    try {
      queue.processing.forEach((item, taken) -> assertThat(taken.value()).isSameAs(item));
      int free = 0;
      for (T item : queue.unprocessedLocked()) {
        free += queue.processing.containsKey(item) ? 0 : 1;
      }
      assertThat(queue.readyLocked()).as("items that a worker may have now").isEqualTo(free);
      assertThat(queue.unprocessedLocked()).doesNotHaveDuplicates();
    } finally {
      queue.lock.unlock();
    }
  }
}
