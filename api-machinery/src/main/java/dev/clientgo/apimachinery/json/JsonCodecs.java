package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Codecs of plain values, lists and maps, for use within each other. */
public final class JsonCodecs {

  // The constants are classes, not pairs of lambdas: all are made when the first is used, at the
  // start of every program, and a lambda takes one or two classes more.

  /** Reads and writes strings. */
  public static final JsonCodec<String> STRING =
      new JsonCodec<>() {
        @Override
        public String read(JsonReader in) {
          return in.nextString();
        }

        @Override
        public void write(JsonWriter out, String value) {
          out.string(value);
        }
      };

  /** Reads and writes true and false. */
  public static final JsonCodec<Boolean> BOOLEAN =
      new JsonCodec<>() {
        @Override
        public Boolean read(JsonReader in) {
          return in.nextBoolean();
        }

        @Override
        public void write(JsonWriter out, Boolean value) {
          out.bool(value);
        }
      };

  /** Reads and writes whole numbers of 32 bits. */
  public static final JsonCodec<Integer> INT =
      new JsonCodec<>() {
        @Override
        public Integer read(JsonReader in) {
          return in.nextInt();
        }

        @Override
        public void write(JsonWriter out, Integer value) {
          out.integer(value);
        }
      };

  /** Reads and writes whole numbers of 64 bits. */
  public static final JsonCodec<Long> LONG =
      new JsonCodec<>() {
        @Override
        public Long read(JsonReader in) {
          return in.nextLong();
        }

        @Override
        public void write(JsonWriter out, Long value) {
          out.integer(value);
        }
      };

  /** Reads and writes numbers as doubles. */
  public static final JsonCodec<Double> DOUBLE =
      new JsonCodec<>() {
        @Override
        public Double read(JsonReader in) {
          return in.nextDouble();
        }

        @Override
        public void write(JsonWriter out, Double value) {
          out.number(value.doubleValue());
        }
      };

  /** Reads and writes numbers without loss. */
  public static final JsonCodec<Number> NUMBER =
      new JsonCodec<>() {
        @Override
        public Number read(JsonReader in) {
          return in.nextNumber();
        }

        @Override
        public void write(JsonWriter out, Number value) {
          out.number(value);
        }
      };

  /** Reads and writes values of any type as their JSON text. */
  public static final JsonCodec<RawJson> RAW = RawJson.CODEC;

  /** Reads and writes values of any type but null as trees, see {@link JsonReader#nextTree}. */
  public static final JsonCodec<Object> TREE =
      new JsonCodec<>() {
        @Override
        public Object read(JsonReader in) {
          return requireNonNull(in.nextTree(), "null");
        }

        @Override
        public void write(JsonWriter out, Object value) {
          out.tree(value);
        }
      };

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
