package dev.clientgo.benchmarks.controller;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.cache.OwnWrites;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * The reads of a reconcile: from the cache of an informer alone, and from the same cache with the
 * process's own writes in it, of which the watch has not delivered some.
 *
 * <p>{@code ./benchmarks/run jmh OwnWritesBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class OwnWritesBenchmark {

  private static final int OBJECTS = 10_000;
  private static final int PER_NAMESPACE = 100;

  /** How many writes the watch has not delivered; {@code none} reads without the overlay. */
  @Param({"none", "0", "1", "100"})
  public String pending;

  private final String[] keys = new String[OBJECTS];
  private IndexReader<Pod> reader;
  private int next;

  /** Fills the cache and writes to some of its objects. */
  @Setup
  public void fill() {
    Indexer<Pod> cache =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));
    for (int i = 0; i < OBJECTS; i++) {
      Pod pod = pod(i, 1);
      keys[i] = ObjectName.of(pod).toString();
      cache.add(pod);
    }
    if (pending.equals("none")) {
      reader = cache;
      return;
    }
    OwnWrites<Pod> writes = new OwnWrites<>(cache, pod -> true, Clock.system(), lost -> {});
    for (int i = 0; i < Integer.parseInt(pending); i++) {
      writes.written(pod(i * 97, 2));
    }
    reader = writes;
  }

  private static Pod pod(int i, int version) {
    ObjectMeta metadata =
        ObjectMeta.builder()
            .namespace("namespace-" + i / PER_NAMESPACE)
            .name("pod-" + i)
            .uid("uid-" + i)
            .resourceVersion(Integer.toString(version))
            .build();
    return Pod.of(edit -> edit.metadata(metadata));
  }

  private int next() {
    return next = (next + 7919) % OBJECTS;
  }

  /** One object. */
  @Benchmark
  public Optional<Pod> getByKey() {
    return reader.getByKey(keys[next()]);
  }

  /** The hundred objects of a namespace. */
  @Benchmark
  public List<Pod> listNamespace() {
    return reader.byIndex(Indexer.NAMESPACE_INDEX, "namespace-" + next() / PER_NAMESPACE);
  }
}
