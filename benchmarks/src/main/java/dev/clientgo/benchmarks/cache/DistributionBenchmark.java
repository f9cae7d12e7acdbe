package dev.clientgo.benchmarks.cache;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.benchmarks.informer.CountingObserver;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
 * A change on its way through a whole informer, from the watch to the last of its handlers: ten
 * thousand are let loose, and all handlers must have heard of all. The time is per change, however
 * many handlers there are. The watch has the events in memory: there is no server and no JSON.
 *
 * <p>{@code ./benchmarks/run jmh DistributionBenchmark -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class DistributionBenchmark {

  private static final int CHANGES = 10_000;

  /** How many handlers there are. */
  @Param({"1", "10"})
  public int handlers;

  /** Whether an observer counts each change at each stage. */
  @Param({"false", "true"})
  public boolean observed;

  private final Pod[][] versions = {Pods.create(CHANGES, 2), Pods.create(CHANGES, 3)};
  private final Semaphore released = new Semaphore(0);
  private final Semaphore heard = new Semaphore(0);
  private SharedIndexInformer<Pod> informer;
  private int sent;

  /** Starts the informer. */
  @Setup
  public void start() throws InterruptedException {
    SharedIndexInformer.Builder<Pod> builder =
        SharedIndexInformer.builder(
                ListWatch.<Pod>of(
                    (options, context, sink) -> {
                      for (Pod pod : versions[1]) {
                        sink.accept(pod);
                      }
                      return ListMeta.EMPTY.toBuilder().resourceVersion("1").build();
                    },
                    (options, context) -> new Changes()))
            .options(ReflectorOptions.defaults().toBuilder().useWatchList(false).build());
    if (observed) {
      builder.observer(new CountingObserver<>());
    }
    informer = builder.build();
    for (int i = 0; i < handlers; i++) {
      informer.addEventHandler(new Listener());
    }
    informer.start();
    if (!informer.awaitSynced(Duration.ofMinutes(1))) {
      throw new IllegalStateException("not synced: " + informer.health());
    }
  }

  /** Ends the informer. */
  @TearDown
  public void stop() {
    informer.close();
  }

  /** Lets all changes loose and waits until the handlers have heard of them. */
  @Benchmark
  @OperationsPerInvocation(CHANGES)
  public void distribute() throws InterruptedException {
    released.release(CHANGES);
    heard.acquire(handlers);
  }

  /** The changes of all objects, over and over. */
  private final class Changes implements Watch<Pod> {

    @Override
    public Optional<WatchEvent<Pod>> next() throws InterruptedException {
      released.acquire();
      Pod pod = versions[(sent / CHANGES) % 2][sent % CHANGES];
      sent++;
      return Optional.of(new WatchEvent.Modified<>(pod));
    }

    @Override
    public void close() {}
  }

  /** Says so when it has heard of all changes: to say it of each would be most of the work. */
  private final class Listener implements ResourceEventHandler<Pod> {

    private int count;

    @Override
    public void onUpdate(Pod oldObject, Pod newObject) {
      if (++count % CHANGES == 0) {
        heard.release();
      }
    }
  }
}
