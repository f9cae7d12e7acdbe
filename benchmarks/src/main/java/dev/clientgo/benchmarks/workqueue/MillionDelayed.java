package dev.clientgo.benchmarks.workqueue;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.workqueue.DelayingQueue;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;

/**
 * Measures a million items that wait for ten minutes at most: the heap per item beside the items
 * themselves, the time to add them, and the time to take them all when all are due.
 *
 * <p>{@code ./benchmarks/run million-delayed [ITEMS]}
 */
public final class MillionDelayed {

  private static final int ROUNDS = 3;

  private MillionDelayed() {}

  /** Runs the rounds and prints a line for each. */
  public static void main(String[] arguments) throws InterruptedException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
    String[] items = new String[count];
    for (int i = 0; i < count; i++) {
      items[i] = "namespace-" + i % 100 + "/name-" + i;
      items[i].hashCode(); // It is kept in the string: not a cost of the queue.
    }
    for (int round = 1; round <= ROUNDS; round++) {
      measure("DelayingQueue", round, DelayingQueue::create, items);
      measure("PriorityQueue", round, PriorityQueue::create, items);
    }
  }

  private static void measure(
      String name, int round, Function<QueueConfig, DelayingQueue<String>> queues, String[] items)
      throws InterruptedException {
    Random random = new Random(round);
    FakeClock clock = FakeClock.create();
    try (DelayingQueue<String> queue = queues.apply(QueueConfig.builder().clock(clock).build())) {
      long heapBefore = usedHeap();

      long addStart = System.nanoTime();
      for (String item : items) {
        queue.addAfter(item, Duration.ofMillis(1 + random.nextInt(600_000)));
      }
      long addNanos = System.nanoTime() - addStart;
      long heap = usedHeap() - heapBefore;

      clock.advance(Duration.ofMinutes(10));
      long longestNanos = 0;
      long drainStart = System.nanoTime();
      long last = drainStart;
      for (int i = 0; i < items.length; i++) {
        queue.processNext(item -> {});
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - last);
        last = now;
      }
      long drainNanos = System.nanoTime() - drainStart;

      System.out.printf(
          "%s round=%d items=%d bytes_per_item=%.1f add_ns_per_item=%d drain_ms=%d"
              + " drain_ns_per_item=%d longest_get_us=%d%n",
          name,
          round,
          items.length,
          (double) heap / items.length,
          addNanos / items.length,
          drainNanos / 1_000_000,
          drainNanos / items.length,
          longestNanos / 1000);
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
