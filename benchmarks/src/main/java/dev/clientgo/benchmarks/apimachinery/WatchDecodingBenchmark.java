package dev.clientgo.benchmarks.apimachinery;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One thread reads a watch of pods, a million bytes at a time, so that the score is in megabytes a
 * second. The limit is Jackson's tokenizer, which makes nothing of what it reads.
 *
 * <p>{@code ./benchmarks/run jmh WatchDecoding -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WatchDecodingBenchmark {

  private static final Projection FOUR_FIELDS =
      Projection.keep("spec.nodeName", "spec.containers.image", "status.phase", "status.podIP");

  private final byte[] stream = PodEvents.stream(1_000_000);

  private final JsonCodec<Pod> podsWithoutManagedFields =
      JsonCodecs.project(Pod.CODEC, Projection.WITHOUT_MANAGED_FIELDS);
  private final JsonCodec<Pod> podsOfFourFields = JsonCodecs.project(Pod.CODEC, FOUR_FIELDS);
  private final JsonCodec<Unstructured> unstructuredOfFourFields =
      JsonCodecs.project(Unstructured.CODEC, FOUR_FIELDS);

  /** As an informer keeps one over all its lists and watches. */
  private final DecodeContext context = DecodeContext.create();

  private final JsonFactory jackson = new JsonFactory();

  /** The limit. */
  @Benchmark
  public int jacksonTokens() {
    int tokens = 0;
    try (JsonParser parser =
        jackson.createParser(ObjectReadContext.empty(), new ByteArrayInputStream(stream))) {
      for (JsonToken token; (token = parser.nextToken()) != null; ) {
        tokens += token.id();
      }
    }
    return tokens;
  }

  /** Our reader, which checks all and makes nothing. */
  @Benchmark
  public int skip() {
    JsonReader in = JsonReader.of(new ByteArrayInputStream(stream), context);
    int events = 0;
    while (in.peek() != JsonReader.Token.END_OF_STREAM) {
      in.skip();
      events++;
    }
    return events;
  }

  /** Records of a generated type. */
  @Benchmark
  public int pods() throws IOException {
    return decode(Pod.CODEC);
  }

  /** Records without their managed fields, which the reader skips. */
  @Benchmark
  public int podsWithoutManagedFields() throws IOException {
    return decode(podsWithoutManagedFields);
  }

  /** Records of which four fields are read. */
  @Benchmark
  public int podsOfFourFields() throws IOException {
    return decode(podsOfFourFields);
  }

  /** Objects of any type of which four fields are read. */
  @Benchmark
  public int unstructuredOfFourFields() throws IOException {
    return decode(unstructuredOfFourFields);
  }

  /** Objects of any type. */
  @Benchmark
  public int unstructured() throws IOException {
    return decode(Unstructured.CODEC);
  }

  private int decode(JsonCodec<?> codec) throws IOException {
    WatchDecoder<?> decoder = WatchDecoder.json(new ByteArrayInputStream(stream), codec, context);
    int events = 0;
    while (decoder.next().isPresent()) {
      events++;
    }
    return events;
  }
}
