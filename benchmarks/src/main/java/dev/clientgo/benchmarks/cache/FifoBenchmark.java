package dev.clientgo.benchmarks.cache;

import dev.clientgo.cache.Delta;
import dev.clientgo.cache.DeltaFIFO;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Queue;
import dev.clientgo.cache.RealFIFO;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One thread puts a hundred changes of different objects into a queue and takes them all. The time
 * is per change. The yardstick is a {@link LinkedBlockingQueue}, which knows no keys.
 *
 * <p>{@code ./benchmarks/run jmh FifoBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FifoBenchmark {

  private static final int CHANGES = 100;

  private final Pod[] pods = Pods.create(CHANGES, 1);
  private final LinkedBlockingQueue<Pod> blockingQueue = new LinkedBlockingQueue<>();
  private final RealFIFO<Pod> realFifo =
      RealFIFO.<Pod>builder(KeyFunction.metaNamespace()).unlockWhileProcessing(true).build();
  private final DeltaFIFO<Pod> deltaFifo =
      DeltaFIFO.<Pod>builder(KeyFunction.metaNamespace()).build();

  /** Lets the first list be over. */
  @Setup
  public void sync() throws InterruptedException {
    for (Queue<Pod> queue : List.of(realFifo, deltaFifo)) {
      queue.add(pods[0]);
      queue.pop((deltas, isInInitialList) -> {});
    }
  }

  /** The yardstick. */
  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public void linkedBlockingQueue(Blackhole hole) throws InterruptedException {
    for (Pod pod : pods) {
      blockingQueue.put(pod);
    }
    for (int i = 0; i < CHANGES; i++) {
      hole.consume(blockingQueue.take());
    }
  }

  /** The queue of informers, one change at a time. */
  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public void realFifo(Blackhole hole) throws InterruptedException {
    addAndPop(realFifo, hole);
  }

  /** The queue of informers, as they use it: all that is there at once. */
  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public void realFifoInBatches(Blackhole hole) throws InterruptedException {
    addAll(realFifo);
    for (int[] taken = {0}; taken[0] < CHANGES; ) {
      realFifo.popBatch(
          (deltas, isInInitialList) -> taken[0] += consume(deltas, hole),
          (deltas, isInInitialList) -> taken[0] += consume(deltas, hole));
    }
  }

  /** The older queue. */
  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public void deltaFifo(Blackhole hole) throws InterruptedException {
    addAndPop(deltaFifo, hole);
  }

  private void addAndPop(Queue<Pod> queue, Blackhole hole) throws InterruptedException {
    addAll(queue);
    for (int i = 0; i < CHANGES; i++) {
      queue.pop((deltas, isInInitialList) -> consume(deltas, hole));
    }
  }

  private void addAll(Queue<Pod> queue) {
    for (Pod pod : pods) {
      queue.update(pod);
    }
  }

  private static int consume(List<Delta<Pod>> deltas, Blackhole hole) {
    hole.consume(deltas);
    return deltas.size();
  }
}
