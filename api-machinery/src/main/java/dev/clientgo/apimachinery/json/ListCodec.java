package dev.clientgo.apimachinery.json;

import java.util.List;

/**
 * Reads and writes lists of the values of a codec.
 *
 * <p>A reader could read the list itself. Then HotSpot would copy the reading of lists into itself,
 * three levels deep: that was half of what its optimizing compiler did while an informer synced
 * over protobuf (docs/benchmarks/informer.md). It cannot copy a call to one of many codecs.
 */
record ListCodec<T>(JsonCodec<T> codec) implements JsonCodec<List<T>> {

  @Override
  public List<T> read(JsonReader in) {
    return in.readList(codec);
  }

  @Override
  public void write(JsonWriter out, List<T> value) {
    JsonCodecs.list(codec).write(out, value);
  }
}
