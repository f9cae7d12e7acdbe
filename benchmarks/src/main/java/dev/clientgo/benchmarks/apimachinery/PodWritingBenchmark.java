package dev.clientgo.benchmarks.apimachinery;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread writes a pod of 5 kB in JSON; the score is microseconds.
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

  private final Pod pod = JsonReader.fromBytes(Pod.CODEC, PodEvents.pod(1).getBytes(UTF_8));

  @Benchmark
  public byte[] write() {
    return JsonWriter.toBytes(Pod.CODEC, pod);
  }
}
