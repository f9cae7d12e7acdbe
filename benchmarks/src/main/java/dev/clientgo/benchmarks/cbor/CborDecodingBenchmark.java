package dev.clientgo.benchmarks.cbor;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
 * One thread reads a list of 1,000 custom resources, in JSON or in CBOR; the score is milliseconds
 * a list. As on a server, the fields have one order in JSON and a new one for each object in CBOR.
 *
 * <p>{@code ./benchmarks/run jmh CborDecoding -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CborDecodingBenchmark {

  private static final int OBJECTS = 1_000;

  @Param({"application/json", "application/cbor"})
  public String mediaType = "";

  private byte[] list = {};

  /** As an informer keeps one over all its lists and watches. */
  private final DecodeContext context = DecodeContext.ofStore();

  /** Keeps the objects of the last list alive, as the store of an informer does. */
  private final List<Object> store = new ArrayList<>();

  @Setup
  public void write() {
    Random random = new Random(1);
    boolean cbor = mediaType.equals("application/cbor");
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      Object content = Certificates.stored(i).content();
      items.add(cbor ? Certificates.shuffled(content, random) : content);
    }
    list = bytes(cbor, Map.of("kind", "CertificateList", "items", items));
    System.out.println(mediaType + ": " + list.length / OBJECTS + " bytes an object");
  }

  private static byte[] bytes(boolean cbor, Object tree) {
    return cbor
        ? JsonWriter.toCbor(JsonCodecs.TREE, tree)
        : JsonWriter.toBytes(JsonCodecs.TREE, tree);
  }

  /** The first list of a program, with nothing known. */
  @Benchmark
  public int firstList() {
    return read(Unstructured.CODEC, DecodeContext.create());
  }

  /** A list of an informer that knows all objects. */
  @Benchmark
  public int relist() {
    return read(Unstructured.CODEC, context);
  }

  /** A typed codec that skips most of each object. */
  @Benchmark
  public int metadata() {
    return read(PartialObjectMetadata.CODEC, DecodeContext.create());
  }

  /** The reader alone, which makes nothing. */
  @Benchmark
  public int skip() {
    JsonReader in =
        mediaType.equals("application/cbor")
            ? JsonReader.ofCbor(list, context)
            : JsonReader.of(list, context);
    in.skip();
    return (int) in.offset();
  }

  private <T> int read(JsonCodec<T> codec, DecodeContext context) {
    List<Object> items = new ArrayList<>(OBJECTS);
    NegotiatedSerializer.json(codec)
        .withCbor()
        .forContentType(mediaType)
        .readList(new ByteArrayInputStream(list), context, items::add);
    store.clear();
    store.addAll(items);
    return items.size();
  }
}
