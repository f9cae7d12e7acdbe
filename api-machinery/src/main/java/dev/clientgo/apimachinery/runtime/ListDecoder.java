package dev.clientgo.apimachinery.runtime;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;

/**
 * Reads a list item by item, as the bytes arrive.
 *
 * <p>Each item is handed over before the next is read and is not retained, so a list of any length
 * takes the memory of one item and a read buffer. Corresponds to what client-go does with {@code
 * meta.EachListItem} after it has decoded the whole list.
 */
public final class ListDecoder {

  private static final FieldNames FIELDS = FieldNames.of("kind", "metadata", "items");

  private ListDecoder() {}

  /**
   * Reads one list: hands each item to the sink, returns the list's metadata.
   *
   * <p>The fields of the list may come in any order. An item that cannot be decoded goes to {@link
   * ListSink#undecodable} under its name, and the rest of the list is read.
   *
   * @throws CodecException if the document is not JSON, ends too early, or is not a list but, for
   *     example, a Status or a Table. Items that came before the error have been handed over
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  public static <T> ListMeta read(JsonReader in, JsonCodec<T> codec, ListSink<? super T> sink) {
    ListMeta metadata = ListMeta.EMPTY;
    String kind = "";
    boolean isList = false;
    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      switch (field) {
        case 0 -> kind = requireListKind(in);
        case 1 -> metadata = ListMeta.CODEC.read(in);
        case 2 -> {
          isList = true;
          readItems(in, codec, sink);
        }
        default -> throw new AssertionError(field);
      }
    }
    // Null items are no items, but a document that says nothing of a list is some other object.
    if (!isList && !kind.endsWith("List")) {
      throw in.mismatch(
          "expected a list, found " + (kind.isEmpty() ? "an object without items" : "a " + kind));
    }
    return metadata;
  }

  private static String requireListKind(JsonReader in) {
    String kind = in.nextString();
    switch (kind) {
      case "Status", "Table" -> throw in.mismatch("expected a list, found a " + kind);
      default -> {
        return kind;
      }
    }
  }

  private static <T> void readItems(JsonReader in, JsonCodec<T> codec, ListSink<? super T> sink) {
    in.beginArray();
    while (in.nextElement()) {
      T item;
      try {
        item = in.nextObject(codec);
      } catch (CodecException e) {
        if (!e.isRecoverable()) {
          throw e;
        }
        sink.undecodable(e);
        continue;
      }
      sink.accept(item);
    }
  }
}
