package dev.clientgo.benchmarks.workqueue;

import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Producers add a million items altogether, workers take them all. The time is per add. The
 * yardstick is a {@link LinkedBlockingQueue}, which hands over and guarantees nothing about what it
 * hands over.
 *
 * <p>{@code ./benchmarks/run jmh WorkQueueHandOver -p producers=4 -p workers=4 -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class WorkQueueHandOverBenchmark {

  private static final int ADDS = 1 << 20;

  /** The equal items are so many, that now and then one is added while it is processed. */
  private static final int EQUAL = 16;

  /** How many threads add. */
  @Param({"1", "2", "4", "16"})
  public int producers;

  /** How many threads take. */
  @Param({"1", "2", "4", "16"})
  public int workers;

  private final Integer[] items = new Integer[ADDS];
  private ExecutorService executor;

  /** Makes the items and the threads. */
  @Setup
  public void start() {
    for (int i = 0; i < ADDS; i++) {
      items[i] = i;
    }
    executor = Executors.newCachedThreadPool();
  }

  /** Ends the threads. */
  @TearDown
  public void stop() {
    executor.shutdownNow();
  }

  /** The work queue; each item is added once. */
  @Benchmark
  @OperationsPerInvocation(ADDS)
  public void workQueueDistinct() throws Exception {
    handOver(WorkQueue::create, ADDS);
  }

  /** The work queue; few items are added over and over. */
  @Benchmark
  @OperationsPerInvocation(ADDS)
  public void workQueueEqual() throws Exception {
    handOver(WorkQueue::create, EQUAL);
  }

  /** The priority queue; each item is added once. */
  @Benchmark
  @OperationsPerInvocation(ADDS)
  public void priorityQueueDistinct() throws Exception {
    handOver(PriorityQueue::create, ADDS);
  }

  /** The priority queue; few items are added over and over. */
  @Benchmark
  @OperationsPerInvocation(ADDS)
  public void priorityQueueEqual() throws Exception {
    handOver(PriorityQueue::create, EQUAL);
  }

  private void handOver(Supplier<WorkQueue<Integer>> queues, int distinct) throws Exception {
    try (WorkQueue<Integer> queue = queues.get()) {
      List<Future<?>> working =
          submit(
              workers,
              worker -> {
                while (queue.processNext(item -> {})) {}
                return null;
              });
      List<Future<?>> producing =
          submit(
              producers,
              producer -> {
                for (int i = producer; i < ADDS; i += producers) {
                  queue.add(items[i & (distinct - 1)]);
                }
                return null;
              });
      await(producing);
      queue.shutDownWithDrain();
      await(working);
    }
  }

  /** The yardstick; equal items are items like others to it. */
  @Benchmark
  @OperationsPerInvocation(ADDS)
  public void linkedBlockingQueue() throws Exception {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    int end = -1;
    List<Future<?>> working =
        submit(
            workers,
            worker -> {
              while (queue.take() != end) {}
              return null;
            });
    List<Future<?>> producing =
        submit(
            producers,
            producer -> {
              for (int i = producer; i < ADDS; i += producers) {
                queue.put(items[i]);
              }
              return null;
            });
    await(producing);
    for (int i = 0; i < workers; i++) {
      queue.put(end);
    }
    await(working);
  }

  private interface Body {
    Void run(int index) throws Exception;
  }

  private List<Future<?>> submit(int threads, Body body) {
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      Callable<Void> call = () -> body.run(index);
      futures.add(executor.submit(call));
    }
    return futures;
  }

  private static void await(List<Future<?>> futures) throws Exception {
    for (Future<?> future : futures) {
      future.get();
    }
  }
}
