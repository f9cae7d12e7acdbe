package dev.clientgo.benchmarks.workqueue;

import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.WorkItem;
import dev.clientgo.workqueue.WorkQueue;
import dev.clientgo.workqueue.metrics.MetricsRecorder;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread adds an item, takes it and finishes it. The yardstick is a {@link
 * LinkedBlockingQueue}, which hands over and guarantees nothing about what it hands over.
 *
 * <p>{@code ./benchmarks/run jmh WorkQueueCycle -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WorkQueueCycleBenchmark {

  private static final int ITEMS = 1024;

  /** How many items are queued all the time. */
  @Param({"0", "1000"})
  public int depth;

  private final String[] items = new String[ITEMS];
  private final WorkQueue<String> workQueue = WorkQueue.create();
  private final WorkQueue<String> measuredQueue =
      WorkQueue.create(
          QueueConfig.builder().name("items").metricsProvider(MetricsRecorder.create()).build());
  private final PriorityQueue<String> priorityQueue = PriorityQueue.create();
  private final LinkedBlockingQueue<String> blockingQueue = new LinkedBlockingQueue<>();
  private int next;

  /** Fills the queues. */
  @Setup
  public void fill() {
    for (int i = 0; i < ITEMS; i++) {
      items[i] = "default/item-" + i;
    }
    for (int i = 0; i < depth; i++) {
      String item = "queued/item-" + i;
      workQueue.add(item);
      measuredQueue.add(item);
      priorityQueue.add(item);
      blockingQueue.add(item);
    }
  }

  private String nextItem() {
    next = (next + 1) & (ITEMS - 1);
    return items[next];
  }

  /** The yardstick. */
  @Benchmark
  public String linkedBlockingQueue() throws InterruptedException {
    blockingQueue.put(nextItem());
    return blockingQueue.take();
  }

  /** The work queue. */
  @Benchmark
  public String workQueue() throws InterruptedException {
    return cycle(workQueue);
  }

  /** The work queue with metrics. */
  @Benchmark
  public String workQueueWithMetrics() throws InterruptedException {
    return cycle(measuredQueue);
  }

  /** The priority queue. */
  @Benchmark
  public String priorityQueue() throws InterruptedException {
    return cycle(priorityQueue);
  }

  private String cycle(WorkQueue<String> queue) throws InterruptedException {
    queue.add(nextItem());
    try (WorkItem<String> work = queue.get().orElseThrow()) {
      return work.value();
    }
  }
}
