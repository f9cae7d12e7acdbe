package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Measures the heap that an action leaves behind, which should be nothing. */
final class Heap {

  private static final int ROUNDS = 8;

  private Heap() {}

  /** An action that runs again and again. */
  interface Task {
    void run() throws InterruptedException;
  }

  /**
   * Fails if each of many runs of a task leaves that many bytes. A leak shows after every run;
   * classes that the JVM loads, compiled code, logs and remains of other tests do not.
   */
  static void assertLeavesLessThan(long bytes, Task task) throws InterruptedException {
    List<Long> left = new ArrayList<>();
    long before = used();
    do {
      task.run();
      long after = used();
      left.add(after - before);
      before = after;
    } while (left.get(left.size() - 1) >= bytes && left.size() < ROUNDS);
    assertThat(left).anyMatch(each -> each < bytes);
  }

  /** Returns the bytes in use after collections that find nothing more. */
  private static long used() {
    long before = Long.MAX_VALUE;
    long used = collect();
    while (used < before) {
      before = used;
      used = collect();
    }
    return used;
  }

  private static long collect() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
