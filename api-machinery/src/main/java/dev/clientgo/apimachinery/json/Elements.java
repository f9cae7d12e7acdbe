package dev.clientgo.apimachinery.json;

import java.util.List;

/**
 * Reads the elements of a list one by one.
 *
 * <p>A reader could do that itself, but is to call codecs only: HotSpot copies what it can into the
 * caller, and would copy the reading of lists into itself, three levels deep. It cannot copy what
 * one of many codecs does.
 */
record Elements<T>(JsonCodec<T> codec) implements JsonCodec<List<T>> {

  @Override
  public List<T> read(JsonReader in) {
    return in.readList(codec);
  }

  @Override
  public void write(JsonWriter out, List<T> value) {
    JsonCodecs.list(codec).write(out, value);
  }
}
