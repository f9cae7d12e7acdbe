package dev.clientgo.apimachinery.runtime;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;

/** SKELETON: reads a list item by item. */
public final class ListDecoder {
  private ListDecoder() {}

  /** Reads one list: hands each item to the sink, returns the list's metadata. */
  public static <T> ListMeta read(JsonReader in, JsonCodec<T> codec, ListSink<? super T> sink) {
    throw new IllegalStateException();
  }
}
