package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list item by item, as the bytes arrive.
 *
 * <p>The decoder passes each item on before it reads the next, and does not keep it. So a list of
 * any length takes the memory of one item and a read buffer. Corresponds to what client-go does
 * with {@code meta.EachListItem} after it has decoded the whole list.
 */
public final class ListDecoder {

  private static final FieldNames FIELDS = FieldNames.of("kind", "metadata", "items", "apiVersion");

  /** The end of the kind of a list. */
  private static final String LIST = "List";

  private ListDecoder() {}

  /**
   * Reads one list: passes each item to the sink, and returns the list's metadata.
   *
   * <p>The fields of the list may have any order. An item that cannot be decoded goes to {@link
   * ListSink#undecodable} with its name, and the decoder reads the rest of the list. The same holds
   * for null. Unlike client-go, which decodes null as an object without a name.
   *
   * @throws CodecException if the document is not JSON, ends too early, or is not a list but, for
   *     example, a Status or a Table. The sink has received the items before the error
   * @throws java.io.UncheckedIOException if the connection breaks
   */
  public static <T> ListMeta read(JsonReader in, JsonCodec<T> codec, ListSink<? super T> sink) {
    return read(in, (ItemCodecs<T>) kind -> codec, sink);
  }

  /**
   * Returns the codec of a list's items, which do not name their kind themselves.
   *
   * @param <T> the type of the items
   */
  @FunctionalInterface
  public interface ItemCodecs<T> {

    /** Returns the codec of items of a kind. Its parts are empty if the list does not name them. */
    JsonCodec<T> of(GroupVersionKind kind);

    /** Returns the codecs of items that a projection cuts. */
    default ItemCodecs<T> project(Projection projection) {
      return new ProjectedCodecs<>(this, projection);
    }

    /** Returns whether an item needs {@link #withKind}: it has no kind, though its list has one. */
    default boolean lacksKind(T item) {
      return false;
    }

    /** Returns an item, which was read before the kind of its list was known, with its kind. */
    default T withKind(T item, GroupVersionKind kind) {
      return item;
    }
  }

  private record ProjectedCodecs<T>(ItemCodecs<T> whole, Projection projection)
      implements ItemCodecs<T> {

    @Override
    public JsonCodec<T> of(GroupVersionKind kind) {
      return JsonCodecs.project(whole.of(kind), projection);
    }

    @Override
    public boolean lacksKind(T item) {
      return whole.lacksKind(item);
    }

    @Override
    public T withKind(T item, GroupVersionKind kind) {
      return whole.withKind(item, kind);
    }
  }

  /** Reads one list with a codec that is chosen by the kind of the list. */
  public static <T> ListMeta read(JsonReader in, ItemCodecs<T> codecs, ListSink<? super T> sink) {
    ListMeta metadata = ListMeta.EMPTY;
    List<T> early = new ArrayList<>();
    String kind = "";
    GroupVersion version = new GroupVersion("", "");
    boolean isList = false;
    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      switch (field) {
        case 0 -> kind = requireListKind(in);
        case 1 -> metadata = ListMeta.CODEC.read(in);
        case 2 -> {
          isList = true;
          boolean late = kind.isEmpty() || version.version().isEmpty();
          GroupVersionKind item = version.withKind(itemKind(kind));
          readItems(in, item, codecs, late ? new EarlyItems<>(codecs, early, sink) : sink);
        }
        case 3 -> version = readVersion(in);
        default -> throw new AssertionError(field);
      }
    }
    // A list may have null instead of items, but then its kind must be that of a list.
    if (!isList && !kind.endsWith(LIST)) {
      throw in.mismatch(
          "expected a list, found " + (kind.isEmpty() ? "an object without items" : "a " + kind));
    }
    for (T item : early) {
      sink.accept(codecs.withKind(item, version.withKind(itemKind(kind))));
    }
    return metadata;
  }

  /**
   * Passes on the items that come before the kind of their list, but keeps those that need it.
   * kube-apiserver writes the kind of a list of custom resources behind its items, which name
   * theirs.
   */
  private record EarlyItems<T>(ItemCodecs<T> codecs, List<T> kept, ListSink<? super T> sink)
      implements ListSink<T> {

    @Override
    public void accept(T item) {
      if (codecs.lacksKind(item)) {
        kept.add(item);
      } else {
        sink.accept(item);
      }
    }

    @Override
    public void undecodable(CodecException error) {
      sink.undecodable(error);
    }
  }

  private static String itemKind(String listKind) {
    return listKind.endsWith(LIST) ? listKind.substring(0, listKind.length() - LIST.length()) : "";
  }

  private static GroupVersion readVersion(JsonReader in) {
    try {
      return GroupVersion.parse(in.nextString());
    } catch (IllegalArgumentException e) {
      throw in.mismatch(String.valueOf(e.getMessage()));
    }
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

  private static <T> void readItems(
      JsonReader in, GroupVersionKind kind, ItemCodecs<T> codecs, ListSink<? super T> sink) {
    JsonCodec<T> codec = codecs.of(kind);
    in.beginArray();
    while (in.nextElement()) {
      T item;
      try {
        item = in.nextObject(codec);
      } catch (CodecException e) {
        if (!e.isRecoverable()) {
          throw e;
        }
        sink.undecodable(withKind(e, kind.kind()));
        continue;
      }
      sink.accept(item);
    }
  }

  /** Returns an error with the item kind of the list, since items rarely name their kind. */
  private static CodecException withKind(CodecException error, String kind) {
    return error.objectKind() == null && error.objectName() != null && !kind.isEmpty()
        ? error.inObject(kind, error.objectName())
        : error;
  }
}
