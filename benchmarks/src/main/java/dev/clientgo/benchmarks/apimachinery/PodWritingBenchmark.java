package dev.clientgo.benchmarks.apimachinery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.HeapEstimate;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.kubernetes.core.v1.Pod;
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
 * One thread writes a pod of 5 kB in JSON; the score is microseconds.
 *
 * <p>An estimate of the heap uses the same codecs with a writer of its own, so the JVM then knows
 * two kinds of writers. The parameter tells whether that costs anything later.
 *
 * <p>{@code ./benchmarks/run jmh PodWriting}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PodWritingBenchmark {

  private static final int ESTIMATED = 10_000;

  @Param({"false", "true"})
  public boolean afterEstimate;

  private final Pod pod = JsonReader.fromBytes(Pod.CODEC, PodEvents.pod(1).getBytes(UTF_8));

  @Setup
  public void estimate() {
    for (int i = 0; afterEstimate && i < ESTIMATED; i++) {
      new HeapEstimate(value -> 0).add(Pod.CODEC, pod);
    }
  }

  @Benchmark
  public byte[] write() {
    return JsonWriter.toBytes(Pod.CODEC, pod);
  }
}
