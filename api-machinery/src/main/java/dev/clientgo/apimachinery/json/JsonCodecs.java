package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Codecs of plain values, lists and maps, and of objects that a projection cuts. */
public final class JsonCodecs {

  /** Reads and writes strings. */
  public static final JsonCodec<String> STRING = of(JsonReader::nextString, JsonWriter::string);

  /** Reads and writes true and false. */
  public static final JsonCodec<Boolean> BOOLEAN = of(JsonReader::nextBoolean, JsonWriter::bool);

  /** Reads and writes whole numbers of 32 bits. */
  public static final JsonCodec<Integer> INT =
      of(JsonReader::nextInt, (out, value) -> out.integer(value));

  /** Reads and writes whole numbers of 64 bits. */
  public static final JsonCodec<Long> LONG = of(JsonReader::nextLong, JsonWriter::integer);

  /** Reads and writes numbers as doubles. */
  public static final JsonCodec<Double> DOUBLE =
      of(JsonReader::nextDouble, (out, value) -> out.number(value.doubleValue()));

  /** Reads and writes numbers without loss. */
  public static final JsonCodec<Number> NUMBER =
      of(JsonReader::nextNumber, (out, value) -> out.number(value));

  /** Reads and writes values of any type as their JSON text. */
  public static final JsonCodec<RawJson> RAW = RawJson.CODEC;

  /** Reads and writes values of any type but null as trees, see {@link JsonReader#nextTree}. */
  public static final JsonCodec<Object> TREE = StreamReader.TREE;

  private JsonCodecs() {}

  /** Returns a codec of lists. */
  public static <T> JsonCodec<List<T>> list(JsonCodec<T> element) {
    return of(
        in -> in.nextList(element),
        (out, values) -> {
          out.beginArray();
          values.forEach(value -> element.write(out, value));
          out.endArray();
        });
  }

  /** Returns a codec of maps from strings. */
  public static <V> JsonCodec<Map<String, V>> map(JsonCodec<V> value) {
    return of(
        in -> in.nextMap(value),
        (out, values) -> {
          out.beginObject();
          values.forEach(
              (name, each) -> {
                out.name(name);
                value.write(out, each);
              });
          out.endObject();
        });
  }

  /**
   * Returns a codec that reads only the fields that a projection keeps. It writes as before. It
   * equals another one of the same codec and projection, so that informers can be shared.
   */
  public static <T> JsonCodec<T> project(JsonCodec<T> codec, Projection projection) {
    return new ProjectingCodec<>(
        requireNonNull(codec, "codec"), requireNonNull(projection, "projection"));
  }

  private record ProjectingCodec<T>(JsonCodec<T> codec, Projection projection)
      implements JsonCodec<T> {

    @Override
    public T read(JsonReader in) {
      return in.nextProjected(codec, projection);
    }

    @Override
    public void write(JsonWriter out, T value) {
      codec.write(out, value);
    }
  }

  /**
   * Checks that the objects of a codec have fields at all paths of a projection. The codec of
   * objects without a type accepts all paths.
   *
   * @throws IllegalArgumentException if there is no such field; the message names those that are
   *     like it
   */
  public static void check(JsonCodec<?> codec, Projection projection) {
    for (List<String> path : projection.paths()) {
      String problem = PathProbe.problem(codec, path);
      if (problem != null) {
        throw new IllegalArgumentException(
            "no field at the path " + String.join(".", path) + ": " + problem);
      }
    }
  }

  /**
   * Returns the names of the fields that a codec reads, in the order of its table; empty if it does
   * not read an object by such a table.
   */
  public static List<String> fieldNames(JsonCodec<?> codec) {
    return PathProbe.names(requireNonNull(codec, "codec"));
  }

  private static <T> JsonCodec<T> of(
      Function<JsonReader, T> read, BiConsumer<JsonWriter, T> write) {
    return new JsonCodec<>() {
      @Override
      public T read(JsonReader in) {
        return read.apply(in);
      }

      @Override
      public void write(JsonWriter out, T value) {
        write.accept(out, value);
      }
    };
  }
}
